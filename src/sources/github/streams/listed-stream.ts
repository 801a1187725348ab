import { Payload } from '../../payload.ts';
import type { Page, SourceRecords, Stream, StreamPosition } from '../../source.ts';
import { type GithubApi, itemsOf, listPageSize, secondsOf } from '../api.ts';
import type { Repository } from '../convert/repository.ts';
import { addressOf, type PreviousPage, readListPage } from './list-page.ts';
import { asJson, type ReadRange, rangeOf, repositoryStream, type StreamMark } from './repository-stream.ts';

/** What REST lists of a repository, newest first. */
export interface Listing {
  /** As in the stream's id, and for people. */
  readonly key: string;
  readonly name: string;
  /** Below the repository: `/issues`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly rereadSeconds?: number;
  /** What the list is ordered by. */
  readonly orderedBy: 'updated_at' | 'created_at';
  convert(items: readonly unknown[], range: ReadRange): ConvertedItem | Promise<ConvertedItem>;
  /** For a list that is read whole each time: how it is known that some of it are gone. */
  readonly whole?: WholeList;
}

export interface WholeList {
  /** What one that is listed is known by, such as its tag. */
  nameOf(record: Readonly<Record<string, unknown>>): string;
  /** Records that remove what was listed before and is gone. */
  goneFrom(read: { startedAt: number; lastReadAt?: number; names: readonly string[] }): Promise<SourceRecords>;
}

export interface ConvertedItem {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

/** A read of a whole list: what it has found on the pages before this one. */
interface Walk {
  readonly startedAt: number;
  readonly names: readonly string[];
}

type Position = ReadRange & { readonly page: string; readonly previous: PreviousPage; readonly walk?: Walk };

export const listedStream = (api: GithubApi, repository: Repository, listing: Listing): Stream =>
  repositoryStream(repository, {
    key: listing.key,
    name: listing.name,
    ...(listing.rereadSeconds !== undefined && { rereadSeconds: listing.rereadSeconds }),
    read: (position) =>
      position.next === undefined
        ? readFirst(api, repository, listing, position)
        : readNext(api, listing, position.next as unknown as Position),
  });

async function readFirst(
  api: GithubApi,
  repository: Repository,
  listing: Listing,
  position: StreamPosition,
): Promise<Page> {
  const { mark: last, ...range } = rangeOf(repository, position);
  const path = addressOf(`/repos/${repository.name}${listing.path}`, { ...listing.query, per_page: listPageSize });
  // Issues can be switched off, and then their address is gone.
  const answer = await api.get(path, { alsoGood: [404, 410], ...(last?.etag && { etag: last.etag }) });
  if (answer.isUnchanged) return { records: [], count: 0, at: answer.at, mark: asJson({ ...last }), isUnchanged: true };
  const items = answer.status >= 300 ? [] : itemsOf(answer.body);
  const newest = newestOf(items, listing);
  const mark: StreamMark = {
    repository: repository.name,
    at: answer.at,
    ...(answer.etag && { etag: answer.etag }),
    ...(newest && { newest }),
  };
  if (newest !== undefined && newest === last?.newest) {
    return { records: [], count: 0, at: answer.at, mark: asJson(mark), isUnchanged: true };
  }
  const previous = { path, ...(answer.etag && { etag: answer.etag }) };
  const walk = answer.status < 300 && { walk: { startedAt: answer.at, names: [] } };
  const page = await pageOf(listing, range, items, { at: answer.at, nextPage: answer.nextPage, previous, ...walk });
  return { ...page, mark: asJson(mark) };
}

async function readNext(api: GithubApi, listing: Listing, { page, previous, walk, ...range }: Position): Promise<Page> {
  const read = await readListPage(api, page, { previous });
  return pageOf(listing, range, read.items, {
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
  readonly walk?: Walk;
}

async function pageOf(
  listing: Listing,
  range: ReadRange,
  items: readonly unknown[],
  { at, nextPage, previous, walk: before }: ReadPage,
): Promise<Page> {
  const { downTo = 0 } = range;
  const timeOf = (item: unknown) => secondsOf(Payload.of(item, listing.name).time(listing.orderedBy));
  const wanted = items.filter((item) => timeOf(item) >= downTo);
  const { records, problems } = await listing.convert(wanted, range);
  const oldest = items.length === 0 ? undefined : Math.min(...items.map(timeOf));
  const isPast = oldest !== undefined && oldest < downTo;
  // What could not be read may be any of them: then nobody knows which are gone.
  const walk = listing.whole && before && problems.length === 0 ? walkOn(listing.whole, before, records) : undefined;
  const gone = walk && !nextPage && !isPast ? await listing.whole?.goneFrom({ ...walk, ...lastOf(range) }) : undefined;
  return {
    records: gone ? [...records, gone] : records,
    count: wanted.length,
    at,
    ...(oldest !== undefined && !range.isWhole && { reachedDownTo: oldest }),
    ...(nextPage && !isPast && { next: asJson({ ...range, page: nextPage, previous, ...(walk && { walk }) }) }),
    ...(problems.length > 0 && { problems }),
  };
}

const walkOn = (whole: WholeList, { startedAt, names }: Walk, records: readonly SourceRecords[]): Walk => ({
  startedAt,
  names: [...names, ...records.flatMap((some) => some.records.map((record) => whole.nameOf(record)))],
});

const lastOf = ({ lastReadAt }: ReadRange) => (lastReadAt === undefined ? {} : { lastReadAt });

/** Only a list by update has its news first. */
function newestOf(items: readonly unknown[], { orderedBy, name }: Listing): string | undefined {
  const [first] = items;
  if (first === undefined || orderedBy !== 'updated_at') return undefined;
  const newest = Payload.of(first, name);
  return `${newest.id('id')} ${newest.time('updated_at')}`;
}
