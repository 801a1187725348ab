import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { SensitiveReads } from '../../access/sensitive-reads.ts';
import type { RequestTicket } from '../../admission/ticket.ts';
import { type AnswerFormat, rowFormats } from '../../formats/answer-formats.ts';
import { AnswerWriter, type FileOwner, type Scratches } from '../../formats/answer-writer.ts';
import type { AnswerMemory } from '../../query/answer-memory.ts';
import type { MetricAnswer, Served, StreamedAnswer } from '../../query/collect-answer.ts';
import type { DataExtent } from '../../query/question-port.ts';
import type { CachedResponse, RawRequest, ResponseCache } from '../../query/response-cache.ts';
import { principalOf } from '../admission/admission.ts';
import { answerDirectly } from '../admission/direct-answer.ts';
import { abortOnDisconnect } from '../admission/request-ticket.ts';
import { addVary } from '../admission/response-headers.ts';
import { unreadBody } from '../body/json-body.ts';
import { formatOf } from '../question/question-parameters.ts';
import {
  setDataHeaders,
  setNearestHeader,
  setStreamValidator,
  setSuppressedHeader,
  setUnmatchedHeader,
  setValidator,
  unmatchedHeader,
} from './answer-headers.ts';
import { isCompressedFor } from './compression.ts';
import { type LongAnswers, maxShortBytes, whenOver, writeTimings } from './long-answers.ts';

export interface AnswerSenderParts {
  /** Where files are made on their way out. */
  readonly warehouse: Scratches;
  readonly long: LongAnswers;
  readonly answerMemory: AnswerMemory;
  readonly responses: ResponseCache;
  /** How far the data reach now, whenever an answer was found. */
  readonly dataExtents: DataExtent;
  /** Writes to the audit log who gets a metric behind a gate. */
  readonly reads: Pick<SensitiveReads, 'note'>;
}

/** Reads a request that is not in the cache, and finds its answer. */
type FindAnswer = (principal: Principal, ticket: RequestTicket) => Promise<Served<MetricAnswer | StreamedAnswer>>;

/** A request, with the name of its metric where its response may be cached. */
type MaybeCached = Omit<RawRequest, 'metric' | 'format'> & {
  readonly metric: string | undefined;
  readonly format: AnswerFormat;
};

/** Sends answers as bytes or piece by piece, in the format that the caller prefers. */
export class AnswerSender {
  readonly #parts: AnswerSenderParts;
  readonly #writer: AnswerWriter;

  constructor(parts: AnswerSenderParts) {
    this.#parts = parts;
    this.#writer = new AnswerWriter(parts.warehouse);
  }

  /** Answers one request; without waiting where the response is in the cache. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    metric: string,
    find: FindAnswer,
  ): Promise<FastifyReply> | undefined {
    const format = formatOf(request);
    const asked = { principal: principalOf(request), metric, format, body: unreadBody(request) };
    const cached = this.#recall(asked);
    if (!cached) return this.#found(request, reply, asked, find);
    const { gated } = cached.served;
    const writing = gated && this.#parts.reads.note(asked.principal, gated);
    if (writing) return writing.then(() => this.#sendCached(request, reply, cached, asked) ?? reply);
    return this.#sendCached(request, reply, cached, asked);
  }

  /**
   * Sends a response at once where it is in the cache, short, and nothing is left to do for it. Otherwise it does nothing,
   * and returns false.
   */
  answerRepeated(request: FastifyRequest, reply: FastifyReply, metric: string, body: Buffer): boolean {
    const format = formatOf(request);
    const principal = principalOf(request);
    const cached = this.#recall({ principal, metric, format, body });
    if (!cached || cached.served.gated || cached.bytes.length > maxShortBytes) return false;
    if (isCompressedFor(request, cached.bytes.length)) return false;
    writeHeaders(reply, cached.served, { wanted: format, principal });
    request.timings?.enter('send');
    writeTimings(request, reply);
    addVary(reply, 'Accept-Encoding');
    answerDirectly(reply, 200, cached.bytes);
    return true;
  }

  /** A response that is in the cache, with how far the data reach now; nothing where that has to be looked up again. */
  #recall(asked: RawRequest): CachedResponse<MetricAnswer> | undefined {
    const cached = this.#parts.responses.recall(asked);
    if (!cached) return undefined;
    const { tables = [] } = cached.served;
    const extent = this.#parts.dataExtents.known(asked.principal.organisationId, tables);
    return extent && { ...cached, served: { ...cached.served, extent } };
  }

  #sendCached(
    request: FastifyRequest,
    reply: FastifyReply,
    { served, bytes }: CachedResponse<MetricAnswer>,
    { principal, format }: MaybeCached,
  ): Promise<FastifyReply> | undefined {
    writeHeaders(reply, served, { wanted: format, principal });
    request.timings?.enter('send');
    if (setValidator(request, reply, bytes, served)) return undefined;
    if (bytes.length > maxShortBytes) return this.#parts.long.sendBytes(request, reply, bytes, principal);
    writeTimings(request, reply);
    reply.send(bytes);
    return undefined;
  }

  /** Answers a request that depends on the data of more than one organisation: only its finder knows whether it is old. */
  compare(request: FastifyRequest, reply: FastifyReply, find: FindAnswer): Promise<FastifyReply> {
    const asked = { principal: principalOf(request), metric: undefined, format: formatOf(request), body: undefined };
    return this.#found(request, reply, asked, find);
  }

  #found(request: FastifyRequest, reply: FastifyReply, asked: MaybeCached, find: FindAnswer): Promise<FastifyReply> {
    return abortOnDisconnect(request, reply, async (ticket) =>
      this.#send(request, reply, asked, await find(asked.principal, ticket), ticket.signal),
    );
  }

  async #send(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: MaybeCached,
    served: Served<MetricAnswer | StreamedAnswer>,
    signal: AbortSignal,
  ): Promise<FastifyReply> {
    const { long, answerMemory, responses } = this.#parts;
    const { answer } = served;
    const release = answerMemory.hold(answer);
    if (release) whenOver(reply, release);
    const { metric, principal } = asked;
    const format = writeHeaders(reply, served, { wanted: asked.format, principal });
    const { organisationId, keyId } = principal;
    const owner = { organisationId, keyId, signal };
    if (answer.form === 'stream') {
      if (setStreamValidator(request, reply, format, served)) return reply;
      return this.#stream(request, reply, answer, format, owner);
    }
    const bytes = await responses.bytesOf(answer, format, signal, (stop) =>
      this.#writer.bytes(answer, format, { ...owner, signal: stop }),
    );
    request.timings?.enter('send');
    if (!bytes) {
      if (setStreamValidator(request, reply, format, served)) return reply;
      const pieces = Readable.from(this.#writer.textPieces(answer, format), { objectMode: false });
      return long.sendPieces(request, reply, pieces, signal);
    }
    if (metric !== undefined && served.isCached) {
      responses.remember({ ...asked, metric }, format, { ...served, answer });
    }
    if (setValidator(request, reply, bytes, served)) return reply;
    return long.sendBytes(request, reply, bytes, { organisationId, isHeld: release !== undefined });
  }

  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StreamedAnswer,
    format: AnswerFormat,
    owner: FileOwner,
  ): Promise<FastifyReply> {
    const { organisationId, signal } = owner;
    request.timings?.enter('wait');
    const reservation = await this.#parts.answerMemory.reserve(organisationId, streamBytes, signal);
    whenOver(reply, () => reservation.release());
    const pieces = this.#writer.pieces(format, answer, owner);
    // An error before the first piece can still become a status and a message.
    request.timings?.enter('engine');
    const first = await pieces.next();
    request.timings?.enter('send');
    const body = Readable.from(begunWith(first, pieces), { objectMode: false });
    // Runs also where nobody ever read a piece: the source of the rows has to be let go.
    body.once('close', () => void pieces.return(undefined).catch(() => {}));
    return this.#parts.long.sendPieces(request, reply, body, signal);
  }
}

/** The memory of a streamed answer: a few pieces between the disk and the connection. */
const streamBytes = 1_024 ** 2;

/** Sets the headers of an answer. Returns the format of its body: only rows can be anything else than JSON. */
function writeHeaders(
  reply: FastifyReply,
  { answer, isCached, ageSeconds, unmatched, suppressed, extent }: Served<MetricAnswer | StreamedAnswer>,
  { wanted, principal }: { readonly wanted: AnswerFormat; readonly principal: Principal },
): AnswerFormat {
  const format = answer.form === 'document' ? 'json' : wanted;
  reply.header('x-cache', isCached ? 'HIT' : 'MISS').header('age', isCached ? ageSeconds : 0);
  setUnmatchedHeader(reply, unmatchedHeader(unmatched));
  setSuppressedHeader(reply, suppressed);
  setDataHeaders(reply, principal, extent);
  reply.type(rowFormats[format].contentType);
  const { total, nearest } = answer.form === 'stream' ? {} : { total: answer.total, nearest: answer.nearest };
  setNearestHeader(reply, nearest);
  if (total !== undefined) reply.header('x-truncated', 'true').header('x-total-rows', total);
  return format;
}

async function* begunWith<T>(first: IteratorResult<T, unknown>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
