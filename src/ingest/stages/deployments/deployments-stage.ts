import { repositoryStories } from '../../../catalogue/ledgers/ledgers.ts';
import type { Table } from '../../../catalogue/table.ts';
import { deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import { always, type Book, never } from './book.ts';
import { all, among, atLeast, atMost, inRepositories, is, nowhere } from './conditions.ts';
import type { DeploymentTouches } from './deployment-touches.ts';
import { noteIncidents, settleDoubts } from './doubt-horizons.ts';
import { Doubts } from './doubts.ts';
import { tellFailuresSince } from './failure-telling.ts';
import { forgetHomeless } from './homeless-rows.ts';
import { cutBySize, groupByTime, type Horizon, isFromBeginning } from './horizons.ts';
import type { Library } from './library.ts';
import { makeTouched } from './made-deployments.ts';
import { openBooks } from './opening.ts';
import { tellReleases } from './release-telling.ts';
import { findReverts } from './revert-finding.ts';
import { followNames, tellProduction } from './stated-deployments.ts';
import { successful } from './story-rows.ts';
import { tellStories } from './story-telling.ts';

/** Rows that are held in memory at once. */
const rowsMost = 60_000;
const daySeconds = 86_400;

/**
 * Deployments, once for each batch: where they come from, what each carried, which failed, what became of every pull
 * request, and what releases brought. Only what the touches can have changed is looked at; what comes of it is what
 * telling everything from the beginning would give. Rows are written where something is different.
 */
export async function deriveDeployments(
  session: Writing,
  touches: DeploymentTouches,
  { incidentWindowDays }: { readonly incidentWindowDays: number },
): Promise<void> {
  if (touches.isEmpty) return;
  const incidentWindowSeconds = incidentWindowDays * daySeconds;
  const doubts = new Doubts();
  await forgetHomeless(session, touches);
  const library = await openBooks(session, touches, doubts);
  await tellProduction(session, library);
  await followNames(session, touches, library);
  const reverts = await findReverts(session, touches, library, doubts);
  await makeTouched(session, touches, library, doubts);
  await settleHorizons(session, library);
  for (const horizon of await horizonsOf(session, [...library.books.values()])) {
    await tellStories(session, horizon, library, reverts, doubts);
  }
  await closeEmpty(session, library);
  const names = library.names();
  await noteIncidents(session, touches, names, doubts, incidentWindowSeconds);
  for (const group of groupByTime(await settleDoubts(session, doubts), ({ since }) => since)) {
    const sizes = await sizesOf(session, deployments, group, 'deployed_at');
    for (const part of cutBySize(group, ({ key }) => sizes.get(key) ?? 0, rowsMost)) {
      await tellFailuresSince(session, part, library, names.now, incidentWindowSeconds);
    }
  }
  await tellReleases(session, library.books.values());
}

/**
 * Goes back further where what has changed reaches back. The first signal decides what was before it, so when that may
 * be another one, everything is told. A deployment whose clock was behind may hold what was merged after it.
 */
async function settleHorizons(session: Writing, library: Library): Promise<void> {
  const books = [...library.books.values()];
  for (const book of books) if (book.isAnew) book.since = always;
  const carrying = books.filter(({ origin, since }) => origin !== 'merge' && since !== never && since !== always);
  await tellFirstSignals(session, carrying);
  for (let open = carrying; open.length > 0; ) {
    const moved = new Set<Book>();
    for (const { since, books: group } of groupByTime(open, (book) => book.since)) {
      if (!Number.isFinite(since)) continue;
      const rows = await session.select(
        deployments,
        ['repository_key', 'deployed_at', 'carried_until'],
        all(
          inRepositories(group.map(({ key }) => key)),
          is('is_production', true),
          atMost('deployed_at', since - 1),
          atLeast('carried_until', since),
        ),
      );
      for (const { repository_key, deployed_at, carried_until } of rows) {
        const book = library.book(repository_key ?? nowhere);
        if (carried_until === null || carried_until < book.since) continue;
        const before = book.since;
        book.tellSince(deployed_at);
        if (book.since < before) moved.add(book);
      }
    }
    open = [...moved];
  }
  for (const book of carrying) {
    const first = book.story?.first_deployed_at ?? null;
    if (first !== null && book.since <= first) book.since = always;
  }
}

/** Repositories without a signal so far are told from the beginning once there is one. */
async function tellFirstSignals(session: Writing, books: readonly Book[]): Promise<void> {
  const silent = books.filter(({ story }) => (story?.first_deployment_id ?? null) === null);
  const made = silent.filter((book) =>
    [...(book.made?.wanted.values() ?? [])].some(({ status }) => status === 'success'),
  );
  for (const book of made) book.since = always;
  if (silent.length === 0) return;
  const keys = inRepositories(silent.map(({ key }) => key));
  const rows = await session.tally(deployments, ['repository_key'], all(keys, successful));
  const heard = new Set(rows.map(({ repository_key }) => repository_key ?? nowhere));
  for (const book of silent) if (heard.has(book.key)) book.since = always;
}

/** Books that anything is to be told in, in parts that fit into memory. */
async function horizonsOf(session: Writing, books: readonly Book[]): Promise<Horizon<Book>[]> {
  const told = books.filter(
    (book) => book.since !== never || book.pullRequests.size > 0 || book.deployments.size > 0 || book.isPromotionMoved,
  );
  const parts: Horizon<Book>[] = [];
  for (const group of groupByTime(told, ({ since }) => since)) {
    const merged = await sizesOf(session, pullRequests, group, 'production_merged_at');
    const deployed = await sizesOf(session, deployments, group, 'deployed_at');
    const sizeOf = ({ key, pullRequests: ids }: Book) =>
      (merged.get(key) ?? 0) + (deployed.get(key) ?? 0) + (isFromBeginning(group) ? 0 : ids.size);
    parts.push(...cutBySize(group, sizeOf, rowsMost));
  }
  return parts;
}

async function sizesOf(
  session: Writing,
  table: Table,
  { since, books }: Horizon<{ readonly key: string }>,
  column: string,
): Promise<Map<string, number>> {
  if (since === never || books.length === 1) return new Map();
  const keys = inRepositories(books.map(({ key }) => key));
  const where = since === always ? keys : all(keys, atLeast(column, since));
  const rows = (await session.tally(table, ['repository_key' as never], where)) as unknown as readonly {
    readonly repository_key: string | null;
    readonly rows: number;
  }[];
  return new Map(rows.map(({ repository_key, rows: size }) => [repository_key ?? nowhere, size]));
}

/** A repository of which nothing is left has no story. */
async function closeEmpty(session: Writing, library: Library): Promise<void> {
  const doubtful = [...library.books.values()].filter((book) => book.mayBeEmpty && !book.isAnew);
  if (doubtful.length === 0) return;
  const keys = doubtful.map(({ key }) => key);
  const left = new Set<string>();
  // Pull requests that are nowhere have no story, deployments do.
  const merged = await session.tally(pullRequests, ['repository_key'], among('repository_key', keys));
  const deployed = await session.tally(deployments, ['repository_key'], inRepositories(keys));
  for (const { repository_key } of [...merged, ...deployed]) left.add(repository_key ?? nowhere);
  const ended = keys.filter((key) => !left.has(key));
  for (const key of ended) library.book(key).hasStory = false;
  if (ended.length > 0) await session.remove(repositoryStories, among('repository_key', ended));
}
