import type { Page, SourceRecords, Stream, StreamPosition } from '../../source.ts';
import { type GithubApi, itemsOf, listPageSize, secondsOf } from '../api.ts';
import { Payload } from '../convert/payload.ts';
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
  /** Of a list that is read whole: the id of an item that is kept, and what to remove once all of them are known. */
  readonly wholeList?: {
    idOf(item: unknown): string | undefined;
    removed(listed: readonly string[]): Promise<SourceRecords>;
  };
}

export interface ConvertedItem {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

type Position = ReadRange & {
  readonly page: string;
  readonly previous: PreviousPage;
  /** Ids of the pages before; absent where the list is not read whole. */
  readonly listed?: readonly string[];
};

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
  const listed = answer.status >= 300 ? undefined : [];
  const page = await pageOf(listing, range, items, { at: answer.at, nextPage: answer.nextPage, previous, listed });
  return { ...page, mark: asJson(mark) };
}

async function readNext(
  api: GithubApi,
  listing: Listing,
  { page, previous, listed, ...range }: Position,
): Promise<Page> {
  const read = await readListPage(api, page, { previous });
  const { at, nextPage } = read.answer;
  return pageOf(listing, range, read.items, { at, nextPage, previous: read.previous, listed });
}

interface ReadPage {
  readonly at: number;
  readonly nextPage: string | undefined;
  readonly previous: PreviousPage;
  readonly listed: readonly string[] | undefined;
}

async function pageOf(
  listing: Listing,
  range: ReadRange,
  items: readonly unknown[],
  { at, nextPage, previous, listed: before }: ReadPage,
): Promise<Page> {
  const { downTo = 0 } = range;
  const timeOf = (item: unknown) => secondsOf(Payload.of(item, listing.name).time(listing.orderedBy));
  const wanted = items.filter((item) => timeOf(item) >= downTo);
  const { records, problems } = await listing.convert(wanted, range);
  const oldest = items.length === 0 ? undefined : Math.min(...items.map(timeOf));
  const isPast = oldest !== undefined && oldest < downTo;
  // What could not be converted is there all the same, and what is older than is wanted may be.
  const isWhole = before !== undefined && problems.length === 0 && downTo === 0;
  const listed = isWhole && listing.wholeList ? [...before, ...idsOf(items, listing.wholeList)] : undefined;
  const removed = listed && !nextPage ? await listing.wholeList?.removed(listed) : undefined;
  return {
    records: removed ? [...records, removed] : records,
    count: wanted.length,
    at,
    ...(oldest !== undefined && !range.isWhole && { reachedDownTo: oldest }),
    ...(nextPage && !isPast && { next: asJson({ ...range, page: nextPage, previous, ...(listed && { listed }) }) }),
    ...(problems.length > 0 && { problems }),
  };
}

const idsOf = (items: readonly unknown[], { idOf }: Required<Listing>['wholeList']): string[] =>
  items.flatMap((item) => idOf(item) ?? []);

/** Only a list by update has its news first. */
function newestOf(items: readonly unknown[], { orderedBy, name }: Listing): string | undefined {
  const [first] = items;
  if (first === undefined || orderedBy !== 'updated_at') return undefined;
  const newest = Payload.of(first, name);
  return `${newest.id('id')} ${newest.time('updated_at')}`;
}
