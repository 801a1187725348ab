import { secondsPerDay } from '../../calendar.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { portioned } from '../read/stored-rows.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { bySpan, inSpan, inTimeOrNever } from './conditions.ts';
import { countByRepository } from './repository-keys.ts';
import { type RepositorySpan, type Spans, theBeginning, theEnd } from './spans.ts';

/** Spans that are attributed together. Each is of another repository. */
export type SpanPart = readonly RepositorySpan[];

/** Rows that are held in memory at once. A span is never divided. */
const maxRows = 60_000;
/** Rows that are expected in a span of a few days. */
const defaultRows = 300;
/** Spans that begin further apart are not read together. */
const maxApart = 30 * secondsPerDay;
/** Spans that differ from each other are written out one by one in each statement, which the engine takes its time to plan. */
const maxDifferent = 8;

/** Spans in parts whose rows fit into memory. Those that go on to the end stand apart from those that end before. */
export async function inParts(session: AttributionReader, spans: Spans): Promise<SpanPart[]> {
  const inOrder = [...spans.keys()]
    .flatMap((key) => spans.of(key).map((span) => ({ key, ...span })))
    .sort((a, b) => (a.from === b.from ? 0 : a.from - b.from));
  const groups = [
    ...grouped(inOrder.filter(({ until }) => until === theEnd)),
    ...grouped(inOrder.filter(({ until }) => until !== theEnd)),
  ];
  const parts: SpanPart[] = [];
  for (const some of groups) {
    const areCounted = some.length > 1 && some.some(({ from, until }) => until - from > maxApart);
    const sizes = areCounted ? await countRows(session, some) : new Map<string, number>();
    parts.push(...portioned(some, maxRows, ({ key }) => sizes.get(key) ?? defaultRows));
  }
  return parts;
}

function grouped(inOrder: readonly RepositorySpan[]): RepositorySpan[][] {
  const groups: { readonly spans: RepositorySpan[]; readonly keys: Set<string>; readonly kinds: Set<string> }[] = [];
  for (const span of inOrder) {
    const last = groups.at(-1);
    const kind = `${span.from} ${span.until}`;
    const isNear =
      span.from - (last?.spans[0]?.from ?? theBeginning) <= maxApart && (last?.kinds.size ?? 0) < maxDifferent;
    if (last && !last.keys.has(span.key) && (isNear || last.kinds.has(kind))) {
      last.spans.push(span);
      last.keys.add(span.key);
      last.kinds.add(kind);
    } else groups.push({ spans: [span], keys: new Set([span.key]), kinds: new Set([kind]) });
  }
  return groups.map(({ spans }) => spans);
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
