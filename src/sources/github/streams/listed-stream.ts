import type { FactTable } from '../../../catalogue/tables/all-tables.ts';
import type { Answer } from '../../host-port.ts';
import { itemsOf, secondsOf } from '../../paging.ts';
import { Payload } from '../../payload.ts';
import type { Page, SourceRecords, Stream, StreamPosition } from '../../source.ts';
import { type ListedBefore, type ListedItem, ListReads } from '../../streams/listed-before.ts';
import { type GithubApi, listPageSize } from '../api.ts';
import type { Repository } from '../convert/repository.ts';
import type { ObjectKind } from '../webhook.ts';
import { asJson, type ReadRange, rangeOf, repositoryStream, type StreamMark } from './repository-stream.ts';

/** A list of a repository in REST, newest first. */
export interface Listing {
  /** As in the stream's id, and for people. */
  readonly key: string;
  readonly name: string;
  /** The tables of what is listed. */
  readonly feeds: readonly FactTable[];
  /** Below the repository: `/issues`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly rereadSeconds?: number;
  /** The time by which the list is ordered. */
  readonly orderedBy: 'updated_at' | 'created_at';
  /** What records depend on besides what is listed. Where it has changed since the last read, everything is read again. */
  readonly basis?: string;
  convert(items: readonly unknown[], range: ReadRange): ConvertedItem | Promise<ConvertedItem>;
  /** How one that is missing since the last read is asked for. */
  readonly watched?: WatchedList;
}

interface WatchedList {
  readonly kind: ObjectKind;
  /** Undefined where an item is not of the table. */
  referenceOf(item: Payload): string | number | undefined;
  /** Nothing older is looked for, in seconds; everything where it is absent. */
  readonly forSeconds?: number;
}

export interface ConvertedItem {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

/** A read of a list: when it began. */
interface ListWalk {
  readonly startedAt: number;
}

type ListPosition = ReadRange & { readonly page: string; readonly previous: PreviousPage; readonly walk?: ListWalk };

export function listedStream(
  api: GithubApi,
  repository: Repository,
  listing: Listing,
  before: ListedBefore<Repository>,
): Stream {
  const reading: ListReading = { api, repository, listing, before, reads: new ListReads() };
  return repositoryStream(repository, {
    key: listing.key,
    name: listing.name,
    feeds: listing.feeds,
    ...(listing.rereadSeconds !== undefined && { rereadSeconds: listing.rereadSeconds }),
    read: (position) =>
      position.next === undefined
        ? readFirst(reading, position)
        : readNext(reading, position.next as unknown as ListPosition),
  });
}

interface ListReading {
  readonly api: GithubApi;
  readonly repository: Repository;
  readonly listing: Listing;
  readonly before: ListedBefore<Repository>;
  readonly reads: ListReads;
}

async function readFirst(reading: ListReading, position: StreamPosition): Promise<Page> {
  const { api, repository, listing, reads } = reading;
  const { mark: last, ...range } = rangeOf(repository, position, listing.basis);
  const path = addressOf(`/repos/${repository.name}${listing.path}`, { ...listing.query, per_page: listPageSize });
  // Issues can be switched off, and then their address is gone.
  const answer = await api.get(path, { alsoGood: [404, 410], ...(last?.etag && { etag: last.etag }) });
  if (answer.isUnchanged) return { records: [], count: 0, at: answer.at, mark: asJson({ ...last }), isUnchanged: true };
  const items = answer.status >= 300 ? [] : itemsOf(answer.body);
  const newest = newestOf(items, listing);
  const mark: StreamMark = {
    repository: repository.name,
    ...(listing.basis !== undefined && { basis: listing.basis }),
    at: answer.at,
    ...(answer.etag && { etag: answer.etag }),
    ...(newest && { newest }),
  };
  if (answer.status < 300) reads.begin(answer.at);
  if (newest !== undefined && newest === last?.newest) {
    const missing = await missingFrom(reading, range, items, { startedAt: answer.at, nextPage: answer.nextPage });
    const page = { records: missing, count: 0, at: answer.at, mark: asJson(mark) };
    return missing.length > 0 ? page : { ...page, isUnchanged: true };
  }
  const previous = { path, ...(answer.etag && { etag: answer.etag }) };
  const walk = answer.status < 300 && { walk: { startedAt: answer.at } };
  const page = await pageOf(reading, range, items, { at: answer.at, nextPage: answer.nextPage, previous, ...walk });
  return { ...page, mark: asJson(mark) };
}

async function readNext(reading: ListReading, { page, previous, walk, ...range }: ListPosition): Promise<Page> {
  const read = await readListPage(reading.api, page, { previous });
  return pageOf(reading, range, read.items, {
    ...read.answer,
    nextPage: read.answer.nextPage,
    previous: read.previous,
    ...(walk && { walk }),
  });
}

interface ReadPage {
  readonly at: number;
  readonly nextPage: string | undefined;
  readonly previous: PreviousPage;
  readonly walk?: ListWalk;
}

async function pageOf(
  reading: ListReading,
  range: ReadRange,
  items: readonly unknown[],
  { at, nextPage, previous, walk }: ReadPage,
): Promise<Page> {
  const { listing } = reading;
  const { downTo = 0 } = range;
  const wanted = items.filter((item) => timeOf(listing, item) >= downTo);
  const { records, problems } = await listing.convert(wanted, range);
  const oldest = oldestOf(listing, items);
  const isPast = oldest !== undefined && oldest < downTo;
  const goesOn = nextPage !== undefined && !isPast;
  const startedAt = walk?.startedAt;
  if (goesOn) reading.reads.add(startedAt, listedItems(listing, items));
  const missing = goesOn ? [] : await missingFrom(reading, range, items, { startedAt, nextPage });
  return {
    records: [...records, ...missing],
    count: wanted.length,
    at,
    ...(oldest !== undefined && !range.isWhole && { reachedDownTo: oldest }),
    ...(goesOn && { next: asJson({ ...range, page: nextPage, previous, ...(walk && { walk }) }) }),
    ...(problems.length > 0 && { problems }),
  };
}

/** At the end of a read: what was listed before, and is not any more. */
async function missingFrom(
  { listing, repository, before, reads }: ListReading,
  range: ReadRange,
  lastItems: readonly unknown[],
  { startedAt, nextPage }: { readonly startedAt: number | undefined; readonly nextPage: string | undefined },
): Promise<readonly SourceRecords[]> {
  const { watched, key } = listing;
  const items = reads.end(startedAt);
  if (!watched || !items || startedAt === undefined) return [];
  const reached = (nextPage === undefined ? undefined : oldestOf(listing, lastItems)) ?? 0;
  return before.missingFrom(repository, {
    key,
    kind: watched.kind,
    startedAt,
    ...lastOf(range),
    items: [...items, ...listedItems(listing, lastItems)],
    reachedDownTo: watched.forSeconds === undefined ? reached : Math.max(reached, startedAt - watched.forSeconds),
  });
}

const listedItems = (listing: Listing, items: readonly unknown[]): ListedItem[] =>
  items.flatMap((item) => {
    const reference = listing.watched?.referenceOf(Payload.of(item, listing.name));
    return reference === undefined ? [] : [[reference, timeOf(listing, item)] as const];
  });

const timeOf = ({ name, orderedBy }: Listing, item: unknown): number =>
  secondsOf(Payload.of(item, name).time(orderedBy));

const oldestOf = (listing: Listing, items: readonly unknown[]): number | undefined =>
  items.length === 0 ? undefined : Math.min(...items.map((item) => timeOf(listing, item)));

const lastOf = ({ lastReadAt }: ReadRange) => (lastReadAt === undefined ? {} : { lastReadAt });

/** Only a list by update has its news first. */
function newestOf(items: readonly unknown[], { orderedBy, name }: Listing): string | undefined {
  const [first] = items;
  if (first === undefined || orderedBy !== 'updated_at') return undefined;
  const newest = Payload.of(first, name);
  return `${newest.id('id')} ${newest.time('updated_at')}`;
}

/** A page of a list that was read before the present one. */
export interface PreviousPage {
  readonly path: string;
  readonly etag?: string;
}

export interface ListPage {
  readonly items: readonly unknown[];
  readonly answer: Answer;
  /** For the page after this one. */
  readonly previous: PreviousPage;
}

/** An address with its query, which the same request can be made of again. */
export const addressOf = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]))}`;

/**
 * A page of a list that is numbered by place. When something before it is deleted, everything moves up and the next page
 * passes over what stood first on it. So the page before is asked for once more, which costs nothing while it is
 * unchanged, and otherwise has on it what was passed over.
 */
export async function readListPage(
  api: GithubApi,
  path: string,
  { field, previous }: { readonly field?: string; readonly previous?: PreviousPage } = {},
): Promise<ListPage> {
  const answer = await api.get(path);
  const items = itemsOf(answer.body, field);
  return {
    items: previous ? [...(await shifted(api, previous, field)), ...items] : items,
    answer,
    previous: { path, ...(answer.etag && { etag: answer.etag }) },
  };
}

async function shifted(api: GithubApi, { path, etag }: PreviousPage, field?: string): Promise<readonly unknown[]> {
  const answer = await api.get(path, etag === undefined ? {} : { etag });
  return answer.isUnchanged ? [] : itemsOf(answer.body, field);
}
