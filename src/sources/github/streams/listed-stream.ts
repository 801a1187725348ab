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
}

export interface ConvertedItem {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

type Position = ReadRange & { readonly page: string; readonly previous: PreviousPage };

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
  const page = await pageOf(listing, range, items, { at: answer.at, nextPage: answer.nextPage, previous });
  return { ...page, mark: asJson(mark) };
}

async function readNext(api: GithubApi, listing: Listing, { page, previous, ...range }: Position): Promise<Page> {
  const read = await readListPage(api, page, { previous });
  return pageOf(listing, range, read.items, {
    ...read.answer,
    nextPage: read.answer.nextPage,
    previous: read.previous,
  });
}

async function pageOf(
  listing: Listing,
  range: ReadRange,
  items: readonly unknown[],
  { at, nextPage, previous }: { at: number; nextPage: string | undefined; previous: PreviousPage },
): Promise<Page> {
  const { downTo = 0 } = range;
  const timeOf = (item: unknown) => secondsOf(Payload.of(item, listing.name).time(listing.orderedBy));
  const wanted = items.filter((item) => timeOf(item) >= downTo);
  const { records, problems } = await listing.convert(wanted, range);
  const oldest = items.length === 0 ? undefined : Math.min(...items.map(timeOf));
  const isPast = oldest !== undefined && oldest < downTo;
  return {
    records,
    count: wanted.length,
    at,
    ...(oldest !== undefined && !range.isWhole && { reachedDownTo: oldest }),
    ...(nextPage && !isPast && { next: asJson({ ...range, page: nextPage, previous }) }),
    ...(problems.length > 0 && { problems }),
  };
}

/** Only a list by update has its news first. */
function newestOf(items: readonly unknown[], { orderedBy, name }: Listing): string | undefined {
  const [first] = items;
  if (first === undefined || orderedBy !== 'updated_at') return undefined;
  const newest = Payload.of(first, name);
  return `${newest.id('id')} ${newest.time('updated_at')}`;
}
