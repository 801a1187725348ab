import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

type PreParsingDone = (error?: Error | null, payload?: IncomingMessage) => void;
export type PreParsingHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: PreParsingDone,
) => void;

/** Bodies that are longer take the usual way. */
const maxBodyBytes = 4_096;

/**
 * A hook before bodies are parsed. A short body that has come with its headers is shown to `answer`, which says whether it
 * has answered. Everything else goes on as if nobody had looked. Dashboards send the same bytes over and over, and what the
 * framework does with a body takes longer than the rest of such an answer.
 */
export const answerBeforeParsing =
  (answer: (request: FastifyRequest, reply: FastifyReply, body: Buffer) => boolean): PreParsingHook =>
  (request, reply, payload, done) => {
    const length = plainJsonLength(request);
    if (length === 0 || length > maxBodyBytes) {
      done(null);
      return;
    }
    const message = payload as IncomingMessage;
    process.nextTick(() => {
      const body = message.read() as Buffer | null;
      try {
        if (body?.length === length && answer(request, reply, body)) {
          // Nobody reads the message from here on. One that was all there has come to its end with this.
          if (!message.complete) message.resume();
          return;
        }
      } catch (error) {
        done(error as Error);
        return;
      }
      if (body) message.unshift(body);
      done(null);
    });
  };

/** How long a body says that it is, where it is JSON that needs no further look at its headers; else 0. */
function plainJsonLength({ headers }: FastifyRequest): number {
  if (headers['content-type'] !== 'application/json' || headers['content-encoding'] !== undefined) return 0;
  const length = headers['content-length'];
  return length === undefined || headers['transfer-encoding'] !== undefined ? 0 : Number(length);
}
