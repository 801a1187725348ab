import { secondsPerDay } from '../../calendar.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { portioned } from '../read/stored-rows.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { bySpan, inSpan, inTimeOrNever } from './conditions.ts';
import { countByRepository } from './repository-keys.ts';
import { type RepositorySpan, type Spans, theEnd } from './spans.ts';

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
