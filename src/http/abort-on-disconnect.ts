import type { FastifyReply } from 'fastify';

/** Nobody hears an answer any more, so nobody is told of this. */
export class CallerGone extends Error {
  constructor() {
    super('the caller is gone');
  }
}

/** Is told when the caller hangs up before the answer is sent. */
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
 * Works on an answer for as long as somebody waits for it. When the caller hangs up, the work is told so by its signal,
 * and whatever it fails with then is of no account.
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
