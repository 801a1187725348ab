import type { FastifyReply } from 'fastify';
import type { NearestRows } from '../query/nearest-rows.ts';

/** Says of an answer that shows nothing where rows are: `before=2025-03-01, after=2025-06-02`. */
export function setNearestHeader(reply: FastifyReply, nearest: NearestRows | undefined): void {
  if (!nearest) return;
  const sides = Object.entries({ before: nearest.before, after: nearest.after });
  const known = sides.filter(([, day]) => day !== null).map(([side, day]) => `${side}=${day}`);
  if (known.length > 0) reply.header('x-nearest-rows', known.join(', '));
}
