import type { FastifyReply } from 'fastify';
import type { UnmatchedFilters } from '../query/unmatched-filters.ts';

/** Proxies and clients take headers of this length without question. */
const bytesMost = 2_000;

/**
 * URL-encoded JSON of the filters whose values match nothing. A value that no longer fits is left out as a whole, so that
 * what is there can always be read. Undefined where everything matches.
 */
export function unmatchedHeader(unmatched: UnmatchedFilters | undefined): string | undefined {
  if (!unmatched) return undefined;
  const fitting: Record<string, unknown[]> = {};
  let left = bytesMost - encoded({}).length;
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
