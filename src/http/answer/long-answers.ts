import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collected, jsonPieces } from '../../formats/text-pieces.ts';
import type { AnswerMemory } from '../../query/answer-memory.ts';
import type { PrometheusMetrics } from '../prometheus.ts';
import type { RequestLog } from '../request-log.ts';

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

  /** Sends bytes from memory. Where somebody else holds that memory already, it is not counted again. */
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

export interface ReadingPace {
  /** A client that takes less of a long answer than this is cut off. */
  readonly bytesPerSecond: number;
  /** Over how long this is measured. */
  readonly windowMs: number;
}

const defaultPace: ReadingPace = { bytesPerSecond: 32 * 1_024, windowMs: 15_000 };
const looksInWindow = 15;

/** A reader that an answer waits for. */
interface Watched {
  readonly response: ServerResponse;
  readonly end: () => void;
  /** Since when it has been waited for, and what the reader had taken by then. */
  since: number;
  taken: number;
}

/**
 * Ends answers whose readers take too little of them: a long answer holds memory, files and a state of the tables until
 * it is read. Only the time counts in which the answer waits for its reader, not the time in which it is made.
 */
class SlowReaders {
  readonly #pace: ReadingPace;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pace: Partial<ReadingPace> = {}) {
    this.#pace = { ...defaultPace, ...pace };
  }

  /** Watches an answer until it is over. */
  watch(response: ServerResponse, end: () => void): void {
    if (response.destroyed) return;
    const watched: Watched = { response, end, since: performance.now(), taken: takenOf(response) };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), this.#pace.windowMs / looksInWindow).unref();
    response.once('close', () => this.#forget(watched));
  }

  #look(): void {
    const now = performance.now();
    const { bytesPerSecond, windowMs } = this.#pace;
    for (const watched of this.#watched) {
      const taken = takenOf(watched.response);
      const waitedMs = now - watched.since;
      const isWaitedFor = watched.response.writableLength > 0;
      if (isWaitedFor && waitedMs < windowMs) continue;
      if (isWaitedFor && taken - watched.taken < (bytesPerSecond * waitedMs) / 1_000) {
        this.#forget(watched);
        watched.end();
      }
      watched.since = now;
      watched.taken = taken;
    }
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** The bytes that the system has taken of everything that was written to the connection. */
const takenOf = ({ socket }: ServerResponse): number => (socket ? socket.bytesWritten - socket.writableLength : 0);

/**
 * The JSON of a listing, made once for as long as the listing stays the same: a listing that has not changed is the same
 * array, and one that has is garbage together with its bytes.
 */
export class ListingBytes<T extends object> {
  readonly #made = new WeakMap<readonly T[], Buffer | Promise<Buffer | undefined>>();
  readonly #body: (listing: readonly T[]) => unknown;

  constructor(body: (listing: readonly T[]) => unknown) {
    this.#body = body;
  }

  async of(listing: readonly T[]): Promise<Buffer> {
    let made = this.#made.get(listing);
    if (!made) {
      made = collected(jsonPieces(this.#body(listing)), Number.POSITIVE_INFINITY);
      this.#made.set(listing, made);
    }
    return (await made) ?? Buffer.alloc(0);
  }
}
