import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../access/principal.ts';
import { type RequestTicket, ticketOf } from '../../admission/ticket.ts';
import type { ChangeContext } from '../../directory/directory.ts';
import { CallerGone } from '../errors.ts';
import { principalOf } from './admission.ts';

/** How long a change waits for its turn. One batch of records takes seconds, and changes go one after another. */
const maxChangeWaitMs = 30_000;

/** The ticket of the caller. It ends when the caller hangs up before the answer is sent. */
export const requestTicket = (request: FastifyRequest, reply: FastifyReply): RequestTicket & Present =>
  present(ticketOf(principalOf(request)), reply);

/** A turn in which the caller changes something. What has come is kept, also when its sender has left. */
export const changingTicket = (request: FastifyRequest): RequestTicket =>
  ticketOf(principalOf(request), maxChangeWaitMs);

/**
 * A change in the caller's organisation, in the caller's name. If the caller hangs up while it waits, nothing changes.
 */
export function changeContextOf(request: FastifyRequest, reply: FastifyReply): ChangeContext {
  const principal = principalOf(request);
  const { organisationId } = principal;
  return { organisationId, actor: actorOf(principal), ticket: present(changingTicket(request), reply) };
}

/**
 * Works on an answer for as long as the caller waits for it. When the caller hangs up, the signal of the ticket aborts,
 * and the error that follows is dropped.
 */
export async function abortOnDisconnect(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (ticket: RequestTicket & Present) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const ticket = requestTicket(request, reply);
  try {
    return await work(ticket);
  } catch (error) {
    if (!ticket.signal.aborted) throw error;
    reply.hijack();
    return reply;
  }
}

interface Present {
  /** Aborts when the caller hangs up before the answer is sent. */
  readonly signal: AbortSignal;
}

function present(ticket: RequestTicket, { raw }: FastifyReply): RequestTicket & Present {
  const controller = new AbortController();
  const left = () => {
    if (!raw.writableFinished) controller.abort(new CallerGone());
  };
  if (raw.destroyed) left();
  else raw.once('close', left);
  return { ...ticket, signal: controller.signal };
}
