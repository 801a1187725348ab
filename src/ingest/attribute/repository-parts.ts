import { secondsPerDay } from '../../calendar.ts';
import type { Table } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/all-tables.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { listsByKey } from '../../lists-by-key.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { portioned } from '../read/stored-rows.ts';
import {
  type AttributionColumn,
  type AttributionReader,
  bySpan,
  inSpan,
  inTimeOrNever,
  notNull,
} from './attribution-reader.ts';
import { noRepository } from './rules/repository-settings.ts';
import { joinClose, type RepositorySpan, type Spans, type TimeSpan, theEnd } from './spans.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Spans that are attributed together. Each is of another repository. */
export type SpanPart = readonly RepositorySpan[];

/** Rows that are held in memory at once. A span is never divided. */
const maxRows = 60_000;
/** Rows that are expected in a span of a few days. */
const defaultRows = 300;
/** Spans longer than this are counted before they are read. */
const longSpan = 30 * secondsPerDay;

/** Spans that are at most this far from each other are read as one, where that costs less. */
const gaps = [0, 8 * secondsPerDay, 30 * secondsPerDay, 120 * secondsPerDay, Number.POSITIVE_INFINITY];

/**
 * Spans in parts whose rows fit into memory. Those that go on to the end stand apart, and come last: what is a revert has to
 * be known before what takes it back.
 */
export async function inParts(
  session: AttributionReader,
  spans: Spans,
  { rowsForPart }: Pick<TouchedRows, 'rowsForPart'>,
): Promise<SpanPart[]> {
  const all = [...spans.keys()].flatMap((key) => spans.of(key).map((span) => ({ key, ...span })));
  const endless = eachKeyOnce(all.filter(({ until }) => until === theEnd));
  const apart = all.filter(({ until }) => until !== theEnd);
  const ending = await joinedWhereCheaper(session, apart, rowsForPart);
  const parts: SpanPart[] = [];
  for (const { rounds, rows } of [ending, { rounds: endless, rows: undefined }]) {
    for (const round of rounds) {
      if (rows !== undefined && rows <= maxRows) parts.push(round);
      else parts.push(...(await inPortions(session, round)));
    }
  }
  return parts;
}

async function inPortions(session: AttributionReader, round: SpanPart): Promise<SpanPart[]> {
  const areCounted = round.length > 1 && round.some((span) => lengthOf([span]) > longSpan);
  const sizes = areCounted ? await countRows(session, round) : new Map<string, number>();
  return portioned(round, maxRows, ({ key }) => sizes.get(key) ?? defaultRows);
}

interface SpansInRounds {
  readonly rounds: readonly SpanPart[];
  /** The rows of all of them and between them, where they were counted. */
  readonly rows?: number;
}

/**
 * A repository with many spans makes many parts. What lies between spans is read as well where that costs less than the
 * parts: how much it is follows from the rows between the first span and the last one of each repository.
 */
async function joinedWhereCheaper(
  session: AttributionReader,
  spans: readonly RepositorySpan[],
  rowsForPart: number,
): Promise<SpansInRounds> {
  const apart = eachKeyOnce(spans);
  // Counting costs about as much as another part.
  if (apart.length <= 2) return { rounds: apart };
  const byKey = listsByKey(spans, ({ key }) => key);
  const joined = (gap: number): RepositorySpan[] =>
    [...byKey].flatMap(([key, some]) => joinClose(some, gap).map((span) => ({ key, ...span })));
  const hulls = joined(Number.POSITIVE_INFINITY);
  const rows = [...(await countRows(session, hulls)).values()].reduce((sum, some) => sum + some, 0);
  const rowsPerSecond = rows / lengthOf(hulls);
  let best = apart;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const gap of gaps) {
    const some = joined(gap);
    const rounds = eachKeyOnce(some);
    const cost = rowsPerSecond * lengthOf(some) + rowsForPart * rounds.length;
    if (cost < bestCost) [best, bestCost] = [rounds, cost];
  }
  return { rounds: best, rows };
}

const lengthOf = (spans: readonly TimeSpan[]): number => spans.reduce((sum, { from, until }) => sum + until - from, 0);

/** In their order: those that are read together lie near to each other, and the engine skips the rest of the table. */
function eachKeyOnce(spans: readonly RepositorySpan[]): RepositorySpan[][] {
  const rounds: RepositorySpan[][] = [];
  let keys = new Set<string>();
  for (const span of spans.toSorted((a, b) => (a.from === b.from ? 0 : a.from - b.from))) {
    if (rounds.length === 0 || keys.has(span.key)) {
      rounds.push([]);
      keys = new Set();
    }
    keys.add(span.key);
    rounds.at(-1)?.push(span);
  }
  return rounds;
}

async function countRows(session: AttributionReader, spans: SpanPart): Promise<Map<string, number>> {
  const merged = bySpan(spans, (span) => inSpan('pr_merged_at', span));
  const sizes = await countByRepository(session, [pullRequests], merged);
  const deployed = bySpan(spans, (span) => inTimeOrNever('deployed_at', span));
  for (const [key, rows] of await countByRepository(session, [deployments], deployed)) {
    sizes.set(key, (sizes.get(key) ?? 0) + rows);
  }
  return sizes;
}

/** How many rows of these tables are in each repository. Those in none are counted together, under a key of their own. */
export async function countByRepository<T extends Table>(
  session: Pick<AttributionReader, 'tally'>,
  tables: readonly T[],
  where?: Condition<AttributionColumn<T>>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const groups = await session.tally(table, ['repository_key' as never], where);
    for (const { repository_key, rows } of groups as unknown as { repository_key: string | null; rows: number }[]) {
      const key = repository_key ?? noRepository;
      counts.set(key, (counts.get(key) ?? 0) + rows);
    }
  }
  return counts;
}

/** A repository is known while it has a pull request or a deployment. */
export const knownRepositories = (session: Pick<AttributionReader, 'tally'>): Promise<Map<string, number>> =>
  countByRepository(session, [pullRequests, deployments], notNull('repository_key'));

/** Touches every repository that anything is known of: all of its rows are compared. */
export async function touchEveryRepository(session: TableReader, touched: TouchedRows): Promise<void> {
  const tables = Object.values<Table>(factTables).filter(
    ({ repository, mayNameService }) => repository !== undefined && !mayNameService,
  );
  for (const key of (await countByRepository(session, tables)).keys()) touched.repository(key);
}
