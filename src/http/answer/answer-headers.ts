import type { FastifyReply } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import { visibilityNameOf } from '../../access/visibility.ts';
import { isoText } from '../../calendar.ts';
import type { NearestRows } from '../../query/nearest-rows.ts';
import type { Extent } from '../../query/question-port.ts';
import type { UnmatchedFilters } from '../../query/unmatched-filters.ts';

/** Says whose rows an answer is made of, and up to when they are complete; nothing of the latter where no rows are. */
export function setDataHeaders(
  reply: FastifyReply,
  principal: Pick<Principal, 'role' | 'visibility'>,
  extent: Extent | undefined,
): void {
  reply.header('x-visibility', visibilityNameOf(principal));
  if (extent?.through !== undefined) reply.header('x-data-through', isoText(extent.through));
}

/** Says of an answer that shows nothing where rows are: `before=2025-03-01, after=2025-06-02`. */
export function setNearestHeader(reply: FastifyReply, nearest: NearestRows | undefined): void {
  if (!nearest) return;
  const sides = Object.entries({ before: nearest.before, after: nearest.after });
  const known = sides.filter(([, day]) => day !== null).map(([side, day]) => `${side}=${day}`);
  if (known.length > 0) reply.header('x-nearest-rows', known.join(', '));
}

/** Says how many answers to surveys were left out, also when none was. Nothing where answers are not anonymous. */
export function setSuppressedHeader(reply: FastifyReply, suppressed: number | undefined): void {
  if (suppressed !== undefined) reply.header('x-suppressed', suppressed);
}

/** Proxies and clients take headers of this length without question. */
const maxBytes = 2_000;

/**
 * URL-encoded JSON of the filters whose values match nothing. A value that no longer fits is left out as a whole, so that
 * what is there can always be read. Undefined where everything matches.
 */
export function unmatchedHeader(unmatched: UnmatchedFilters | undefined): string | undefined {
  if (!unmatched) return undefined;
  const fitting: Record<string, unknown[]> = {};
  let left = maxBytes - encoded({}).length;
  for (const [filter, values] of Object.entries(unmatched)) {
    for (const value of values) {
      // What the value adds: a comma before it, and for the first one of a filter the name and the brackets.
      const more = encoded([value]).length - encoded([]).length + comma.length;
      const frame = fitting[filter] ? 0 : encoded({ [filter]: [] }).length;
      if (more + frame > left) continue;
      left -= more + frame;
      fitting[filter] = [...(fitting[filter] ?? []), value];
    }
  }
  return encoded(fitting);
}

const comma = '%2C';
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

export function setUnmatchedHeader(reply: FastifyReply, header: string | undefined): void {
  if (header !== undefined) reply.header('x-unmatched-filters', header);
}
