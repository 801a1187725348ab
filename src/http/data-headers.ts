import type { FastifyReply } from 'fastify';
import type { Principal } from '../access/principal.ts';
import { visibilityNameOf } from '../access/visibility.ts';
import { isoText } from '../calendar.ts';
import type { Extent } from '../query/data-extent.ts';

/** Says whose rows an answer is made of, and up to when they are complete; nothing of the latter where no rows are. */
export function setDataHeaders(
  reply: FastifyReply,
  principal: Pick<Principal, 'role' | 'visibility'>,
  extent: Extent | undefined,
): void {
  reply.header('x-visibility', visibilityNameOf(principal));
  if (extent?.through !== undefined) reply.header('x-data-through', isoText(extent.through));
}
