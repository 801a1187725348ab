import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerMemory } from '../../query/answer-memory.ts';
import type { PrometheusMetrics } from '../prometheus.ts';
import type { RequestLog } from '../request-log.ts';
import { type ReadingPace, SlowReaders } from './slow-readers.ts';

/** Shorter answers fit into the buffers of the system: nobody waits for their readers. */
export const maxShortBytes = 64 * 1_024;

interface LongAnswerParts {
  readonly log: RequestLog;
  readonly memory: AnswerMemory;
  readonly prometheus?: PrometheusMetrics | undefined;
  readonly pace?: Partial<ReadingPace> | undefined;
}

/** Sends answers that take a while to be read: their memory is counted, and their readers are watched. */
export class LongAnswers {
  readonly #parts: LongAnswerParts;
  readonly #readers: SlowReaders;

  constructor(parts: LongAnswerParts) {
    this.#parts = parts;
    this.#readers = new SlowReaders(parts.pace);
  }

  /** Sends bytes that are here. Where somebody holds their memory already, it is not counted again. */
  async sendBytes(
    request: FastifyRequest,
    reply: FastifyReply,
    bytes: Buffer,
    { organisationId, isHeld = false }: { readonly organisationId: string; readonly isHeld?: boolean },
  ): Promise<FastifyReply> {
    if (bytes.length <= maxShortBytes) {
      writeTimings(request, reply);
      return reply.send(bytes);
    }
    if (!isHeld) {
      const reservation = await this.#parts.memory.reserve(organisationId, bytes.length);
      whenOver(reply, () => reservation.release());
    }
    this.#watch(request, reply);
    writeTimings(request, reply);
    return reply.header('content-length', bytes.length).send(Readable.from(slicesOf(bytes), { objectMode: false }));
  }

  /** Sends pieces as they come. What goes wrong on the way ends the connection: nobody may take it for the whole. */
  sendPieces(request: FastifyRequest, reply: FastifyReply, body: Readable, signal?: AbortSignal): FastifyReply {
    body.once('error', (error) => {
      if (signal?.aborted) return;
      this.#parts.log.fault(request, error);
      // HTTP/1.0 ends with the connection: not even who cannot count may take what was sent for all of it.
      request.raw.socket.resetAndDestroy();
    });
    this.#watch(request, reply);
    writeTimings(request, reply);
    return reply.send(body);
  }

  #watch(request: FastifyRequest, reply: FastifyReply): void {
    this.#readers.watch(reply.raw, () => {
      this.#parts.log.endedReader(request);
      this.#parts.prometheus?.countSlowReader();
      request.raw.socket.resetAndDestroy();
    });
  }
}

/** Says where the time went until now, when the headers go. How long the body takes to be read is not known yet. */
export function writeTimings({ timings }: FastifyRequest, reply: FastifyReply): void {
  if (timings) reply.header('server-timing', timings.header());
}

/** Calls back when an answer is over, whichever way it ends. */
export function whenOver(reply: FastifyReply, done: () => void): void {
  if (reply.raw.closed || reply.raw.destroyed) done();
  else reply.raw.once('close', done);
}

/** Pieces, so that it can be seen how much of the whole has been taken. Nothing is copied. */
function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let i = 0; i < bytes.length; i += maxShortBytes) yield bytes.subarray(i, i + maxShortBytes);
}
