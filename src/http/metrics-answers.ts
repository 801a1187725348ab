import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import { type AnswerFormat, contentTypes } from '../formats/accept.ts';
import type { Answer, Served, StreamedAnswer } from '../query/answer.ts';
import { principalOf } from './admission.ts';
import { AcceptedFormats, AnswerBytes, type Scratch } from './answer-bytes.ts';
import { whileWaited } from './caller-presence.ts';
import { readBody, unreadBody } from './json-body.ts';
import { RecalledAnswers, type Spelled, type Versions } from './recalled-answers.ts';
import type { RequestLog } from './request-log.ts';
import { tellUnmatched, unmatchedHeader } from './unmatched-header.ts';

export interface AnswerParts {
  /** Where files are made on their way out, and which state of the data answers are about. */
  readonly warehouse: Scratch & Versions;
  readonly log: RequestLog;
  readonly now: () => Date;
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
  readonly #log: RequestLog;
  readonly #formats = new AcceptedFormats();

  constructor({ warehouse, log, now }: AnswerParts) {
    this.#bytes = new AnswerBytes(warehouse);
    this.#recalled = new RecalledAnswers(warehouse, now);
    this.#log = log;
  }

  /** Answers one request. Nothing is waited for where its answer is at hand. */
  answer(request: FastifyRequest, reply: FastifyReply, metric: string, find: Find): Promise<FastifyReply> | undefined {
    const format = this.#formats.of(request.headers.accept);
    const asked = { principal: principalOf(request), metric, format, body: unreadBody(request) };
    const recalled = this.#recalled.find(asked);
    if (!recalled) return this.#found(request, reply, asked, find);
    tellAge(reply, true, recalled.ageSeconds);
    tellTotal(reply, recalled.total);
    tellUnmatched(reply, recalled.unmatched);
    reply.type(recalled.type).send(recalled.bytes);
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
    return whileWaited(reply, (signal) =>
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
    const { answer, isKept, ageSeconds } = served;
    const unmatched = unmatchedHeader(served.unmatched);
    tellAge(reply, isKept, ageSeconds);
    tellUnmatched(reply, unmatched);
    // Only rows can be anything else than JSON.
    const format = answer.form === 'document' ? 'json' : asked.format;
    const type = contentTypes[format];
    if (answer.form === 'stream') return this.#stream(request, reply.type(type), answer, format, signal);
    tellTotal(reply, answer.total);
    const bytes = await this.#bytes.of(answer, format);
    const { metric } = asked;
    if (metric !== undefined) {
      this.#recalled.note({ ...asked, metric }, version, { answer, isKept, ageSeconds }, { bytes, type, unmatched });
    }
    return reply.type(type).send(bytes);
  }

  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: StreamedAnswer,
    format: AnswerFormat,
    signal: AbortSignal,
  ): Promise<FastifyReply> {
    const pieces = this.#bytes.pieces(format, answer);
    // What goes wrong before the first piece can still be told in words.
    const first = await pieces.next();
    const body = Readable.from(begunWith(first, pieces), { objectMode: false });
    // Also where nobody ever read a piece: what the rows come from has to be let go.
    body.once('close', () => void pieces.return(undefined).catch(() => {}));
    body.once('error', (error) => {
      if (signal.aborted) return;
      this.#log.fault(request, error);
      // Nobody may take what was sent so far for all of it, not even who cannot count: HTTP/1.0 ends with the connection.
      request.raw.socket.resetAndDestroy();
    });
    return reply.send(body);
  }
}

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
