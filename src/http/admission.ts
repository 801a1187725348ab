import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LastUsed } from '../access/last-used.ts';
import type { Authentication, Principal } from '../access/principal.ts';
import type { AccessRole } from '../catalogue/directory-records.ts';
import { RequestTimings } from '../query/request-timings.ts';
import { Refusal } from '../refusal.ts';
import { isStranger, stranger } from '../turns/turn.ts';
import type { ArrivalDeadlines } from './arrival-deadlines.ts';
import { clientOf } from './client-address.ts';
import type { Drain } from './drain.ts';
import { detailBody, jsonType } from './errors.ts';
import { isInterfacePath, type KnownPaths, readablePath } from './known-paths.ts';
import type { Load, Visit } from './load-shedding.ts';
import type { PrometheusMetrics } from './prometheus.ts';
import type { RateLimits } from './rate-limits.ts';
import type { RequestLog } from './request-log.ts';
import { securityHeaders, strictTransport } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered under any load, and during a shutdown: a health check must not fail because of load. */
    readonly isProbe?: boolean;
    /** The key may also follow `Bearer`, because the programs that call this route send it so. */
    readonly takesBearer?: boolean;
    /** Answers say where their time went, in the header `Server-Timing`. */
    readonly isTimed?: boolean;
  }
  interface FastifyRequest {
    /** Who asks, on the routes that need a key. */
    principal: Principal | null;
    /** How the request is counted while it is under way. */
    visit: Visit | null;
    /** Where the time goes, on the routes that say so. */
    timings: RequestTimings | null;
  }
}

export interface AdmissionParts {
  readonly authentication: Pick<Authentication, 'authenticate' | 'known'>;
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly limits: RateLimits;
  readonly load: Load;
  readonly drain: Drain;
  readonly deadlines: ArrivalDeadlines;
  readonly paths: KnownPaths;
  readonly log: RequestLog;
  readonly figures: PrometheusMetrics | undefined;
  readonly behindProxy: boolean;
  readonly now: () => Date;
}

/**
 * Everything that is decided before the body is read, in the order that callers are promised: 503, 429, 401, 405, 404,
 * 403. Then come 413, 415 and 400, where the body is read and looked at.
 */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Puts the first checks before every request, also before those that no route takes. */
  guard(app: FastifyInstance): void {
    const { log, deadlines, behindProxy } = this.#parts;
    app.decorateRequest('principal', null);
    app.decorateRequest('visit', null);
    app.decorateRequest('timings', null);
    app.addHook('onRequest', (request, reply, done) => {
      log.arrived(request, reply);
      deadlines.watch(request.raw);
      reply.headers(securityHeaders).header('x-request-id', request.id);
      // This server itself speaks plain HTTP: only a trusted proxy can have received HTTPS.
      if (behindProxy && request.protocol === 'https') reply.header('strict-transport-security', strictTransport);
      const refusal = this.#turnedAway(request, reply, done);
      if (refusal === 'refused') return;
      if (refusal || !request.is404) done(refusal);
      else this.#refuseUnrouted(request, reply, done);
    });
  }

  /**
   * Lets in whoever has a key. A hook for the routes of the interface; with callbacks, because every request waits for
   * it and the framework takes longer to wait for a promise of a promise.
   */
  readonly authenticate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authentication, limits, now } = this.#parts;
    const at = now();
    if (request.routeOptions.config.isTimed) request.timings = new RequestTimings('auth');
    authentication.authenticate(keyOf(request), limits.sender(request, reply, now)).then(
      (principal) => done(this.#admitted(principal, request, reply, at)),
      (error) => done(this.#unknown(error, request, reply, at)),
    );
  };

  #admitted(principal: Principal, request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    const { limits, lastUsed } = this.#parts;
    request.visit?.become(principal);
    const refusal = limits.countRequest(principal.keyId, reply, at);
    if (refusal) return refusal;
    lastUsed.note(principal.keyId, at);
    request.principal = principal;
    request.timings?.enter('plan');
    return undefined;
  }

  #unknown(error: Error, request: FastifyRequest, reply: FastifyReply, at: Date): Error {
    if (!(error instanceof Refusal) || error.reason !== 'unauthenticated') return error;
    const { limits, figures } = this.#parts;
    figures?.countWrongKey();
    const isKeyless = (request.headers.authorization ?? '').trim() === '';
    const refusal = isKeyless ? limits.countKeyless(request, reply, at) : limits.countWrong(request, reply, at);
    return refusal ?? error;
  }

  /** No route matches the request. A caller without a key does not learn which paths exist. */
  #refuseUnrouted(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void {
    const path = readablePath(request.raw.url ?? '/');
    const refusal = this.#parts.paths.refusal(request.method, path);
    if (isInterfacePath(path)) this.authenticate(request, reply, (error) => done(error ?? refusal));
    else done(refusal);
  }

  /** Why a request is refused, or that the refusal is sent already or comes later. */
  #turnedAway(
    request: FastifyRequest,
    reply: FastifyReply,
    refuse: (error: Error) => void,
  ): Refusal | 'refused' | undefined {
    const { drain, load, figures, authentication } = this.#parts;
    const { isProbe } = request.routeOptions.config;
    const caller = authentication.known(keyOf(request)) ?? stranger(clientOf(request.ip));
    const visit = load.enter(caller, Number(request.headers['content-length'] ?? 0) || 0);
    request.visit = visit;
    reply.raw.once('close', () => visit.leave(reply.raw.statusCode === 503));
    if (drain.isDraining) {
      reply.header('connection', 'close');
      if (isProbe) return undefined;
      figures?.countShed('draining');
      return new Refusal('unavailable', 'The service is shutting down. Send the request again in a moment.', {
        retryAfterSeconds: 5,
      });
    }
    if (visit.isTooMuch && !isProbe) {
      figures?.countShed('overloaded');
      visit.leave();
      // Whoever shows no known key may be a person with a browser: they get a page where there are pages.
      load.refuse(caller, () => (isStranger(caller) ? refuse(overloaded) : answerOverloaded(reply)));
      return 'refused';
    }
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return new Refusal('bad-input', 'The header Host is missing.');
    }
    return undefined;
  }
}

const retryAfterSeconds = 2;
const overloaded = new Refusal('unavailable', 'The service is overloaded. Send the request again in a moment.', {
  retryAfterSeconds,
});
const overloadedBody = detailBody(overloaded.message);
const overloadedHeaders = {
  'content-type': jsonType,
  'content-length': Buffer.byteLength(overloadedBody),
  'retry-after': String(retryAfterSeconds),
};

/** Not by way of the framework: under overload most answers are this one, and what it costs is missing for the others. */
function answerOverloaded(reply: FastifyReply): void {
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...overloadedHeaders };
  reply.hijack();
  reply.raw.writeHead(503, headers);
  reply.raw.end(overloadedBody);
}

function keyOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.takesBearer ? headers.authorization?.replace(/^\s*bearer\s+/i, '') : headers.authorization;
}

/** Who asks. To be called on routes behind `authenticate` only. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error(`${request.routeOptions.url} is served without authentication`);
  return request.principal;
}

/** A hook for routes that only a key made by such a person may use. */
export const onlyFor =
  (role: AccessRole, what: string) =>
  (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const asking = principalOf(request).role;
    const refusal = new Refusal(
      'forbidden',
      `${what} needs a key whose creator has the role ${role}. The creator of this key has the role ${asking}.`,
    );
    done(asking === role ? undefined : refusal);
  };
