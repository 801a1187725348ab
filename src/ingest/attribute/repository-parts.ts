import { secondsPerDay } from '../../calendar.ts';
import { deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { portioned } from '../read/stored-rows.ts';
import type { AttributionReader } from './attributed-columns.ts';
import { any, bySpan, inSpan, isNull } from './conditions.ts';
import { countByRepository } from './repository-keys.ts';
import { type RepositorySpan, type Spans, theEnd } from './spans.ts';

/** Spans that are attributed together. Each is of another repository. */
export type Part = readonly RepositorySpan[];

/** Rows that are held in memory at once. A span is never divided. */
const maxRows = 60_000;
/** Spans that begin further apart are not read together. */
const maxApart = 30 * secondsPerDay;
/** Spans that differ are written out one by one in each statement. */
const maxDifferent = 200;

/** Spans in parts whose rows fit into memory. Those that go on to the end stand apart from those that end before. */
export async function inParts(session: AttributionReader, spans: Spans): Promise<Part[]> {
  const inOrder = [...spans.keys()]
    .flatMap((key) => spans.of(key).map((span) => ({ key, ...span })))
    .sort((a, b) => (a.from === b.from ? 0 : a.from - b.from));
  const groups = [
    ...grouped(inOrder.filter(({ until }) => until === theEnd)),
    ...grouped(inOrder.filter(({ until }) => until !== theEnd)),
  ];
  const parts: Part[] = [];
  for (const some of groups) {
    const sizes = some.length < 2 ? new Map<string, number>() : await countRows(session, some);
    parts.push(...portioned(some, maxRows, ({ key }) => sizes.get(key) ?? 0));
  }
  return parts;
}

function grouped(inOrder: readonly RepositorySpan[]): RepositorySpan[][] {
  const groups: { readonly spans: RepositorySpan[]; readonly keys: Set<string> }[] = [];
  for (const span of inOrder) {
    const last = groups.at(-1);
    const [first] = last?.spans ?? [];
    const isAlike = first?.from === span.from && first.until === span.until;
    const isNear = first !== undefined && span.from - first.from <= maxApart && (last?.keys.size ?? 0) < maxDifferent;
    if (last && (isAlike || isNear) && !last.keys.has(span.key)) {
      last.spans.push(span);
      last.keys.add(span.key);
    } else groups.push({ spans: [span], keys: new Set([span.key]) });
  }
  return groups.map(({ spans }) => spans);
}

async function countRows(session: AttributionReader, spans: Part): Promise<Map<string, number>> {
  const merged = bySpan(spans, (span) => inSpan('pr_merged_at', span));
  const sizes = await countByRepository(session, [pullRequests], merged);
  const deployed = bySpan(spans, (span) => any(inSpan('deployed_at', span), isNull('deployed_at')));
  for (const [key, rows] of await countByRepository(session, [deployments], deployed)) {
    sizes.set(key, (sizes.get(key) ?? 0) + rows);
  }
  return sizes;
}
