import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import type { SensitiveReads } from '../access/sensitive-reads.ts';
import { type AnswerFormat, contentTypes } from '../formats/accept.ts';
import type { Answer, Served, StreamedAnswer } from '../query/answer.ts';
import type { AnswerMemory } from '../query/answer-memory.ts';
import { abortOnDisconnect } from './abort-on-disconnect.ts';
import { principalOf } from './admission.ts';
import { AcceptedFormats, AnswerBytes, type FileOwner, type Scratches } from './answer-bytes.ts';
import { readBody, unreadBody } from './json-body.ts';
import { type LongAnswers, shortMost, whenOver } from './long-answers.ts';
import { type Recalled, RecalledAnswers, type Spelled, type Versions } from './recalled-answers.ts';
import { tellSuppressed } from './suppressed-header.ts';
import { tellUnmatched, unmatchedHeader } from './unmatched-header.ts';

export interface AnswerParts {
  /** Where files are made on their way out, and which state of the data answers are about. */
  readonly warehouse: Scratches & Versions;
  readonly long: LongAnswers;
  readonly answerMemory: AnswerMemory;
  /** Writes down who is told a metric behind a gate. */
  readonly reads: Pick<SensitiveReads, 'note'>;
  readonly now: () => Date;
  /** What answers may take that are kept as they were sent, in bytes. */
  readonly sentBytes?: number | undefined;
}

/** What to do for a question that nobody asked a moment ago. */
export type Find = (
  principal: Principal,
  body: unknown,
  signal: AbortSignal,
) => Promise<Served<Answer | StreamedAnswer>>;

/** A request, with the name of its metric where it may be recalled. */
type Asked = Omit<Spelled, 'metric'> & { readonly metric: string | undefined };

/** Sends what is found: bytes at once, or piece by piece, in the format that the caller likes best. */
export class MetricsAnswers {
  readonly #bytes: AnswerBytes;
  readonly #recalled: RecalledAnswers;
  readonly #long: LongAnswers;
  readonly #memory: AnswerMemory;
  readonly #reads: Pick<SensitiveReads, 'note'>;
  readonly #formats = new AcceptedFormats();

  constructor({ warehouse, long, answerMemory, reads, now, sentBytes }: AnswerParts) {
    this.#bytes = new AnswerBytes(warehouse);
    this.#recalled = new RecalledAnswers(warehouse, now, sentBytes);
    this.#long = long;
    this.#memory = answerMemory;
    this.#reads = reads;
  }

  /** Answers one request. Nothing is waited for where its answer is at hand. */
  answer(request: FastifyRequest, reply: FastifyReply, metric: string, find: Find): Promise<FastifyReply> | undefined {
    const format = this.#formats.of(request.headers.accept);
    const asked = { principal: principalOf(request), metric, format, body: unreadBody(request) };
    const recalled = this.#recalled.find(asked);
    if (!recalled) return this.#found(request, reply, asked, find);
    const writing = recalled.gated && this.#reads.note(asked.principal, recalled.gated);
    if (writing) return writing.then(() => this.#sendRecalled(request, reply, recalled, asked.principal) ?? reply);
    return this.#sendRecalled(request, reply, recalled, asked.principal);
  }

  #sendRecalled(
    request: FastifyRequest,
    reply: FastifyReply,
    recalled: Recalled,
    principal: Principal,
  ): Promise<FastifyReply> | undefined {
    tellAge(reply, true, recalled.ageSeconds);
    tellTotal(reply, recalled.total);
    tellUnmatched(reply, recalled.unmatched);
    tellSuppressed(reply, recalled.suppressed);
    reply.type(recalled.type);
    const { bytes } = recalled;
    if (bytes.length > shortMost) return this.#long.sendBytes(request, reply, bytes, principal);
    reply.send(bytes);
    return undefined;
  }

  /** Answers a request that depends on the data of more than one organisation: only its finder knows whether it is old. */
  compare(request: FastifyRequest, reply: FastifyReply, find: Find): Promise<FastifyReply> {
    const format = this.#formats.of(request.headers.accept);
    return this.#found(
      request,
      reply,
      { principal: principalOf(request), metric: undefined, format, body: undefined },
      find,
    );
  }

  #found(request: FastifyRequest, reply: FastifyReply, asked: Asked, find: Find): Promise<FastifyReply> {
    return abortOnDisconnect(reply, (signal) =>
      this.#find(request, reply, asked, (body) => find(asked.principal, body, signal), signal),
    );
  }

  async #find(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked,
    find: (body: unknown) => Promise<Served<Answer | StreamedAnswer>>,
    signal: AbortSignal,
  ): Promise<FastifyReply> {
    const version = this.#recalled.versionFor(asked.principal);
    const served = await find(await readBody(request));
    const { answer, isKept, ageSeconds, gated } = served;
    const unmatched = unmatchedHeader(served.unmatched);
    const release = this.#memory.hold(answer);
    if (release) whenOver(reply, release);
    tellAge(reply, isKept, ageSeconds);
    tellUnmatched(reply, unmatched);
    tellSuppressed(reply, served.suppressed);
    // Only rows can be anything else than JSON.
    const format = answer.form === 'document' ? 'json' : asked.format;
    const type = contentTypes[format];
    reply.type(type);
    const { organisationId, keyId } = asked.principal;
    const owner = { organisationId, keyId, signal };
    if (answer.form === 'stream') return this.#stream(request, reply, answer, format, owner);
    tellTotal(reply, answer.total);
    const bytes = await this.#bytes.of(answer, format, owner);
    if (!bytes) {
      const pieces = Readable.from(this.#bytes.textPieces(answer, format), { objectMode: false });
      return this.#long.sendPieces(request, reply, pieces, signal);
    }
    const { metric } = asked;
    if (metric !== undefined) {
      this.#recalled.note(
        { ...asked, metric },
        version,
        { answer, isKept, ageSeconds, ...(gated ? { gated } : {}) },
        { bytes, type, unmatched },
      );
    }
    return this.#long.sendBytes(request, reply, bytes, { organisationId, isHeld: release !== undefined });
  }

  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StreamedAnswer,
    format: AnswerFormat,
    owner: FileOwner,
  ): Promise<FastifyReply> {
    const { organisationId, signal } = owner;
    const reservation = await this.#memory.reserve(organisationId, streamBytes, signal);
    whenOver(reply, () => reservation.release());
    const pieces = this.#bytes.pieces(format, answer, owner);
    // What goes wrong before the first piece can still be told in words.
    const first = await pieces.next();
    const body = Readable.from(begunWith(first, pieces), { objectMode: false });
    // Also where nobody ever read a piece: what the rows come from has to be let go.
    body.once('close', () => void pieces.return(undefined).catch(() => {}));
    return this.#long.sendPieces(request, reply, body, signal);
  }
}

/** What a streamed answer takes in memory: a few pieces between the disk and the connection. */
const streamBytes = 1_024 ** 2;

function tellAge(reply: FastifyReply, isKept: boolean, ageSeconds: number): void {
  reply.header('x-cache', isKept ? 'HIT' : 'MISS').header('age', isKept ? ageSeconds : 0);
}

function tellTotal(reply: FastifyReply, total: number | undefined): void {
  if (total !== undefined) reply.header('x-truncated', 'true').header('x-total-rows', total);
}

async function* begunWith<T>(first: IteratorResult<T, unknown>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
