import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import { type ReleaseRow, releaseDetails } from '../../../catalogue/tables/release-details.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import {
  type Contents,
  contentsColumns,
  Moments,
  type Published,
  tellContents,
} from '../../derive/deployments/release-contents.ts';
import { always, type Book, never } from './book.ts';
import { all, atLeast, inRepositories, notNull, nowhere, since } from './conditions.ts';
import { groupByTime } from './horizons.ts';
import { byRepository } from './story-rows.ts';

const columns = ['release_id', 'repository_key', 'release_date', 'is_prerelease', ...contentsColumns] as const;
type ReleasePart = Pick<ReleaseRow, (typeof columns)[number]>;

/** Says what releases brought, where a release or what reached the production branch has changed. */
export async function tellReleases(session: Writing, books: Iterable<Book>): Promise<void> {
  const concerned = [...books].filter(
    (book) => book.key !== nowhere && (sinceOf(book) < never || book.releases.size > 0),
  );
  const released = await releasedSince(session, concerned);
  const changed: ReleasePart[] = [];
  for (const group of groupByTime(released, sinceOf)) {
    const keys = group.books.map(({ key }) => key);
    const rows = byRepository(await session.select(releaseDetails, columns, inRepositories(keys)));
    const told = group.books.map((book) => tellBook(book, rows.get(book.key) ?? []));
    const earliest = Math.min(never, ...told.map(({ countSince }) => countSince));
    const moments = await loadMoments(session, keys, earliest);
    for (const { book, contents, countSince } of told) {
      const arrived = moments.get(book.key) ?? new Moments([]);
      for (const row of rows.get(book.key) ?? []) {
        const now = withContents(row, contents.get(row.release_id ?? ''), countSince, arrived);
        if (contentsColumns.some((column) => now[column] !== row[column])) changed.push(now);
      }
    }
  }
  await session.patch(releaseDetails, contentsColumns, changed);
}

const sinceOf = ({ isAnew, releasesSince }: Book): number => (isAnew ? always : releasesSince);

/** Most pull requests are merged after the last release, and then nothing has changed. */
async function releasedSince(session: Writing, books: readonly Book[]): Promise<Book[]> {
  const released = new Set(books.filter(({ releases }) => releases.size > 0));
  for (const group of groupByTime(books, sinceOf)) {
    if (group.since === never) continue;
    const keys = inRepositories(group.books.map(({ key }) => key));
    const rows = await session.tally(
      releaseDetails,
      ['repository_key'],
      all(keys, ...since('release_date', group.since)),
    );
    const found = new Set(rows.map(({ repository_key }) => repository_key ?? nowhere));
    for (const book of group.books) if (found.has(book.key)) released.add(book);
  }
  return [...released];
}

interface ToldBook {
  readonly book: Book;
  readonly contents: ReadonlyMap<string, Contents>;
  /** Pull requests are counted again that arrived after this. */
  readonly countSince: number;
}

function tellBook(book: Book, rows: readonly ReleasePart[]): ToldBook {
  const published = rows.flatMap(({ release_id: id, release_date: at, is_prerelease }): Published[] =>
    id === null || at === null ? [] : [{ id, at, isPrerelease: is_prerelease === true }],
  );
  const contents = tellContents(published);
  let countSince = never;
  for (const row of rows) {
    const now = contents.get(row.release_id ?? '');
    if (now && isOpen(row, now, sinceOf(book))) countSince = Math.min(countSince, now.after);
  }
  return { book, contents, countSince };
}

const isOpen = (row: ReleasePart, { after, until }: Contents, from: number): boolean =>
  until >= from || row.contents_after !== after || row.contents_until !== until || row.prs_included === null;

/** How many pull requests reached the production branch at each moment. */
async function loadMoments(session: Writing, keys: readonly string[], from: number): Promise<Map<string, Moments>> {
  if (from === never) return new Map();
  const rows = await session.tally(
    pullRequests,
    ['repository_key', 'production_merged_at'],
    all(inRepositories(keys), notNull('production_merged_at'), atLeast('production_merged_at', from)),
  );
  return new Map(
    [...byRepository(rows)].map(([key, some]) => [
      key,
      new Moments(
        some.map(({ production_merged_at, rows: number }) => ({ at: production_merged_at ?? 0, rows: number })),
      ),
    ]),
  );
}

/** An unpublished release holds nothing yet. */
function withContents(
  row: ReleasePart,
  contents: Contents | undefined,
  countSince: number,
  arrived: Moments,
): ReleasePart {
  if (!contents) return { ...row, contents_after: null, contents_until: null, prs_included: null };
  const prs_included = contents.after >= countSince ? arrived.countIn(contents) : row.prs_included;
  return { ...row, contents_after: contents.after, contents_until: contents.until, prs_included };
}
