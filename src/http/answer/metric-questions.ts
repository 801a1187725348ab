import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { RequestTicket } from '../../admission/ticket.ts';
import { dateDetails } from '../../catalogue/metrics/all-metrics.ts';
import {
  benchmarkFields,
  multipleFields,
  periodFields,
  type RequestFields,
  singleFields,
} from '../../catalogue/request-fields.ts';
import { collected, jsonPieces } from '../../formats/text-pieces.ts';
import type { Metrics } from '../../query/answer-metric.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { abortOnDisconnect } from '../admission/request-ticket.ts';
import { readBody } from '../body/json-body.ts';
import { jsonType } from '../errors.ts';
import { answerAddress, type SentQuestion } from '../question/question-address.ts';
import { onlyParametersIn, refuseOtherThanJson } from '../question/question-parameters.ts';
import {
  setDataHeaders,
  setSuppressedHeader,
  setUnmatchedHeader,
  setValidator,
  unmatchedHeader,
} from './answer-headers.ts';
import { AnswerSender, type AnswerSenderParts } from './answer-sender.ts';

export interface MetricQuestionsParts extends AnswerSenderParts {
  readonly metrics: Pick<Metrics, 'admit' | 'single' | 'multiple' | 'benchmark' | 'explain'>;
}

/** A request whose path names the metric. */
export interface MetricRoute {
  Params: { readonly metric: string };
}

type Answering = Promise<FastifyReply> | undefined;

/**
 * Answers questions about metrics, wherever a question stands: in the body of a POST or in the address of a GET. The order
 * in which a request is looked at: the metric and who may ask it, then everything else.
 */
export class MetricQuestions {
  readonly #parts: MetricQuestionsParts;
  readonly #answers: AnswerSender;

  constructor(parts: MetricQuestionsParts) {
    this.#parts = parts;
    this.#answers = new AnswerSender(parts);
  }

  /** A hook before the body is read: a caller who may not ask a metric learns nothing about its fields. */
  readonly admitted = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    try {
      this.#parts.metrics.admit(principalOf(request), (request.params as MetricRoute['Params']).metric);
      done();
    } catch (error) {
      done(error as Error);
    }
  };

  /** Hooks before the body is parsed: for requests whose very bytes were answered before. */
  readonly repeatedSingle = answerBeforeParsing((request, reply, body) =>
    this.#answers.answerRepeated(request, reply, nameOfSingle(request as FastifyRequest<MetricRoute>), body),
  );
  readonly repeatedMultiple = answerBeforeParsing((request, reply, body) =>
    this.#answers.answerRepeated(request, reply, nameOfMultiple(request), body),
  );

  readonly single = (request: FastifyRequest<MetricRoute>, reply: FastifyReply): Answering => {
    const { metric } = request.params;
    return this.#answers.answer(request, reply, nameOfSingle(request), (principal, ticket) =>
      answerQuestion(request, metric === dateDetails ? periodFields : singleFields, async ({ body, parameters }) => {
        if (metric === dateDetails) this.#admitAll(principal, [fieldOf(body, 'metric')]);
        return this.#parts.metrics.single(principal, metric, body, { ...parameters(), ...waiting(request, ticket) });
      }),
    );
  };

  readonly explain = (request: FastifyRequest<MetricRoute>, reply: FastifyReply): Answering =>
    abortOnDisconnect(request, reply, async (ticket) => {
      const { metrics, long } = this.#parts;
      const principal = principalOf(request);
      const explained = async ({ body, parameters }: SentQuestion) => {
        const { showsVerdict } = parameters();
        refuseOtherThanJson(request);
        return metrics.explain(principal, request.params.metric, body, { showsVerdict, ...waiting(request, ticket) });
      };
      const served = await answerQuestion(request, singleFields, explained);
      setUnmatchedHeader(reply, unmatchedHeader(served.unmatched));
      setSuppressedHeader(reply, served.suppressed);
      setDataHeaders(reply, principal, served.extent);
      // The message repeats what was sent, which may be a mebibyte.
      const bytes = (await collected(jsonPieces(served.answer.document), Number.POSITIVE_INFINITY)) ?? Buffer.alloc(0);
      request.timings?.enter('send');
      if (setValidator(request, reply, bytes, served)) return reply;
      return long.sendBytes(request, reply.type(jsonType), bytes, principal);
    });

  readonly multiple = (request: FastifyRequest, reply: FastifyReply): Answering =>
    this.#answers.answer(request, reply, nameOfMultiple(request), (principal, ticket) =>
      answerQuestion(request, multipleFields, async ({ body, parameters }) => {
        const asked = fieldOf(body, 'metrics');
        this.#admitAll(principal, Array.isArray(asked) ? asked : []);
        return this.#parts.metrics.multiple(principal, body, { ...parameters(), ...waiting(request, ticket) });
      }),
    );

  readonly benchmark = (request: FastifyRequest, reply: FastifyReply): Answering =>
    this.#answers.compare(request, reply, (principal, ticket) => {
      const compared = async ({ body, parameters }: SentQuestion) => {
        this.#admitAll(principal, [fieldOf(body, 'benchmark_metric')]);
        const { showsN, showsVerdict } = parameters();
        refuseOtherThanJson(request);
        return this.#parts.metrics.benchmark(principal, body, { showsN, showsVerdict, ...waiting(request, ticket) });
      };
      return answerQuestion(request, benchmarkFields, compared);
    });

  /** Checks metrics that the question names: first whether they exist, then whether the caller may ask them. */
  #admitAll(principal: Principal, names: readonly unknown[]): void {
    let forbidden: Refusal | undefined;
    for (const name of new Set(names)) {
      if (typeof name !== 'string') continue;
      try {
        this.#parts.metrics.admit(principal, name);
      } catch (error) {
        if (!(error instanceof Refusal) || error.reason !== 'forbidden') throw error;
        forbidden ??= error;
      }
    }
    if (forbidden) throw forbidden;
  }
}

/** Answers the question of a request, in its body or in its address. */
async function answerQuestion<A>(
  request: FastifyRequest,
  fields: RequestFields,
  answer: (question: SentQuestion) => Promise<A>,
): Promise<A> {
  if (request.method !== 'POST') return answerAddress(request, fields, answer);
  return answer({ body: await readBody(request), parameters: () => onlyParametersIn(request) });
}

const waiting = ({ timings }: FastifyRequest, ticket: RequestTicket) => ({ ticket, timings: timings ?? undefined });

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined;

const nameOfSingle = (request: FastifyRequest<MetricRoute>): string => `${request.params.metric}${queryOf(request)}`;
const nameOfMultiple = (request: FastifyRequest): string => `get-multiple-metrics${queryOf(request)}`;

/** The method and the query string are part of the request: the cache must not mix them up. */
const queryOf = ({ method, raw }: FastifyRequest): string =>
  `${/\?.*/s.exec(raw.url ?? '')?.[0] ?? ''}${method === 'POST' ? '' : ' GET'}`;

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
const answerBeforeParsing =
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
          // Nobody reads the message from here on. A message that arrived whole ends with this.
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
