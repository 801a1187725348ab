import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../access/principal.ts';
import { type Ticket, ticketOf } from '../../admission/ticket.ts';
import type { ChangeContext } from '../../directory/directory.ts';
import { presenceOf } from './abort-on-disconnect.ts';
import { principalOf } from './admission.ts';

/** How long a change waits for its turn. One batch of records takes seconds, and changes go one after another. */
const changeWaitsMostMs = 30_000;

/** A turn in which the caller changes something. */
export const changingTicket = (request: FastifyRequest): Ticket => ticketOf(principalOf(request), changeWaitsMostMs);

/**
 * A change in the caller's organisation, in the caller's name. If the caller hangs up while it waits, nothing changes.
 */
export function changeContextOf(request: FastifyRequest, reply: FastifyReply): ChangeContext {
  const principal = principalOf(request);
  const { organisationId } = principal;
  return { organisationId, actor: actorOf(principal), ticket: changingTicket(request), signal: presenceOf(reply) };
}
