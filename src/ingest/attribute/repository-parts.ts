import { secondsPerDay } from '../../calendar.ts';
import type { Table } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/all-tables.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
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
import { type RepositorySpan, type Spans, theEnd } from './spans.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Spans that are attributed together. Each is of another repository. */
export type SpanPart = readonly RepositorySpan[];

/** Rows that are held in memory at once. A span is never divided. */
const maxRows = 60_000;
/** Rows that are expected in a span of a few days. */
const defaultRows = 300;
/** Spans longer than this are counted before they are read. */
const longSpan = 30 * secondsPerDay;

/** Spans in parts whose rows fit into memory. Those that go on to the end stand apart from those that end before. */
export async function inParts(session: AttributionReader, spans: Spans): Promise<SpanPart[]> {
  const inOrder = [...spans.keys()]
    .flatMap((key) => spans.of(key).map((span) => ({ key, ...span })))
    .sort((a, b) => (a.from === b.from ? 0 : a.from - b.from));
  const parts: SpanPart[] = [];
  for (const isEndless of [true, false]) {
    for (const some of eachKeyOnce(inOrder.filter(({ until }) => (until === theEnd) === isEndless))) {
      const areCounted = some.length > 1 && some.some(({ from, until }) => until - from > longSpan);
      const sizes = areCounted ? await countRows(session, some) : new Map<string, number>();
      parts.push(...portioned(some, maxRows, ({ key }) => sizes.get(key) ?? defaultRows));
    }
  }
  return parts;
}

/** In their order: those that are read together lie near to each other, and the engine skips the rest of the table. */
function eachKeyOnce(inOrder: readonly RepositorySpan[]): Iterable<RepositorySpan[]> {
  const rounds: RepositorySpan[][] = [];
  let keys = new Set<string>();
  for (const span of inOrder) {
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
