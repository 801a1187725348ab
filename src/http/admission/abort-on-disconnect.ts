import type { FastifyReply } from 'fastify';
import { CallerGone } from '../errors.ts';

/** Aborts when the caller hangs up before the answer is sent. */
export function presenceOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const left = () => {
    if (!raw.writableFinished) controller.abort(new CallerGone());
  };
  if (raw.destroyed) left();
  else raw.once('close', left);
  return controller.signal;
}

/**
 * Works on an answer for as long as the caller waits for it. When the caller hangs up, the signal aborts, and the error
 * that follows is dropped.
 */
export async function abortOnDisconnect(
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const signal = presenceOf(reply);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    reply.hijack();
    return reply;
  }
}
