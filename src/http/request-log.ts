import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { PrometheusMetrics } from './prometheus.ts';

const secret = /plumb(signin|session|stop)?_[0-9A-Za-z]{6,}/g;

/** The route's pattern and never the address itself: a sign-in link holds its secret in the path. */
const unmatchedRoute = '(none)';

/** One line for each request, written when it is over, and one more for each fault of ours. */
export class RequestLog {
  readonly #logger: FastifyBaseLogger;
  readonly #prometheus: PrometheusMetrics | undefined;

  constructor(logger: FastifyBaseLogger, prometheus: PrometheusMetrics | undefined) {
    this.#logger = logger;
    this.#prometheus = prometheus;
  }

  arrived(request: FastifyRequest, reply: FastifyReply): void {
    const startedAt = performance.now();
    this.#prometheus?.requestArrived();
    // Fastify's onResponse stays silent when the caller hangs up before the answer; `close` always comes.
    reply.raw.on('close', () => this.#left(request, reply, performance.now() - startedAt));
  }

  /** The text of a fault may quote what was sent, so anything in it that looks like a secret of ours is cut. */
  fault(request: FastifyRequest, error: unknown): void {
    this.#logger.error(this.#problemOf(request, error), 'request failed');
  }

  /** A request that failed because of what its caller or another service did. The operator may want to know what. */
  refused(request: FastifyRequest, error: unknown): void {
    this.#logger.warn(this.#problemOf(request, error), 'request refused');
  }

  /** A client that read its answer too slowly was cut off. */
  endedReader(request: FastifyRequest): void {
    const route = request.routeOptions.url ?? unmatchedRoute;
    this.#logger.warn({ reqId: request.id, route }, 'answer ended because it was read too slowly');
  }

  #problemOf(request: FastifyRequest, error: unknown) {
    const route = request.routeOptions.url ?? unmatchedRoute;
    return { reqId: request.id, route, problem: withCauses(error).replace(secret, 'plumb_…') };
  }

  #left(request: FastifyRequest, reply: FastifyReply, ms: number): void {
    const route = request.routeOptions.url ?? unmatchedRoute;
    const status = reply.raw.statusCode;
    this.#prometheus?.requestAnswered(request.method, route, status, ms / 1_000);
    const line = { reqId: request.id, method: request.method, route, status, ms: Math.round(ms * 100) / 100 };
    if (reply.raw.writableFinished) this.#logger.info(line, 'request');
    else this.#logger.info(line, 'request abandoned by the caller');
  }
}

/** The error, and what it was made from: a refusal says what the caller may know, its cause what really happened. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by ${withCauses(error.cause)}`;
}

const sane = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/** The caller's own identifier when it is safe in a log line and a header, else a fresh one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && sane.test(sent) ? sent : randomUUID();
}
