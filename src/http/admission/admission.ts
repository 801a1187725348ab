import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication, KnownPrincipal } from '../../access/authentication.ts';
import type { LastUsed } from '../../access/last-used.ts';
import type { Principal } from '../../access/principal.ts';
import { hashOf } from '../../access/secret-token.ts';
import { LoopTurns } from '../../admission/budget.ts';
import { type Caller, isStranger, stranger } from '../../admission/ticket.ts';
import type { AccessRole } from '../../catalogue/directory-records.ts';
import { RequestTimings } from '../../query/request-timings.ts';
import { Refusal } from '../../refusal.ts';
import type { Drain } from '../drain.ts';
import {
  isInterfacePath,
  isPagePath,
  isProgramPath,
  type KnownPaths,
  readablePath,
  urlWithoutSlash,
} from '../known-paths.ts';
import type { PrometheusMetrics } from '../prometheus.ts';
import { holdsKey, onlyKeyInAddress } from '../question/question-parameters.ts';
import type { RequestLog } from '../request-log.ts';
import type { ArrivalDeadlines } from './arrival-deadlines.ts';
import { answerOverloaded, overloaded } from './direct-answer.ts';
import type { Load, RequestUnderWay } from './load-shedding.ts';
import type { OwnAddress, OwnCookie } from './own-address.ts';
import { clientOf, type RateLimits } from './rate-limits.ts';
import { type CrossOrigin, securityHeaders, strictTransport } from './response-headers.ts';

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
    /** The caller, on routes that need a key or a session. */
    principal: Principal | null;
    /** The principal of the key or session that was sent, where it was used here before. It may have ended since. */
    known: KnownPrincipal | null;
    /** Only a key counts, even where a cookie was sent. */
    takesNoSession: boolean;
    /** How the request is counted while it is under way. */
    visit: RequestUnderWay | null;
    /** The timings, on routes that report them. */
    timings: RequestTimings | null;
  }
}

interface AdmissionParts {
  readonly authentication: Pick<Authentication, 'authenticate' | 'authenticateSession' | 'known' | 'recognise'>;
  readonly address: OwnAddress;
  readonly cookie: OwnCookie;
  readonly crossOrigin: CrossOrigin;
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly limits: RateLimits;
  readonly load: Load;
  readonly drain: Drain;
  readonly deadlines: ArrivalDeadlines;
  readonly paths: KnownPaths;
  readonly log: RequestLog;
  readonly prometheus: PrometheusMetrics | undefined;
  readonly behindProxy: boolean;
  readonly now: () => Date;
}

/**
 * Everything that is decided before the body is read, in the order that callers are promised: 503, 429, 401, 405, 404,
 * 403. Then come 413, 415 and 400, where the body is read and looked at.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #loopTurns = new LoopTurns();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Puts the first checks before every request, also before those that no route takes. */
  guard(app: FastifyInstance): void {
    const { log, deadlines, behindProxy } = this.#parts;
    app.decorateRequest('principal', null);
    app.decorateRequest('known', null);
    app.decorateRequest('takesNoSession', false);
    app.decorateRequest('visit', null);
    app.decorateRequest('timings', null);
    app.addHook('onRequest', (request, reply, done) => {
      log.arrived(request, reply);
      deadlines.watch(request.raw);
      reply.headers(securityHeaders).header('x-request-id', request.id);
      // This server itself speaks plain HTTP: only a trusted proxy can have received HTTPS.
      if (behindProxy && request.protocol === 'https') reply.header('strict-transport-security', strictTransport);
      const caller = this.#callerOf(request);
      const refusal = this.#turnedAway(caller, request, reply, done);
      if (refusal === 'refused') return;
      const begin = () => {
        if (!refusal && this.#isPreflight(request, reply)) return;
        if (refusal || !request.is404) done(refusal);
        else this.#refuseUnrouted(request, reply, done);
      };
      if (isProbe(request)) begin();
      else this.#loopTurns.begin(caller, begin);
    });
  }

  /** Whether another origin only asks if it may ask, and has its answer. */
  #isPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    const { crossOrigin } = this.#parts;
    if (!crossOrigin.isAllowed) return false;
    const path = readablePath(request.raw.url ?? '/');
    if (!isInterfacePath(path)) return false;
    const isBySession = this.#sessionTokenOf(request) !== undefined;
    return crossOrigin.allow(request, reply, isBySession) && crossOrigin.answerPreflight(request, reply);
  }

  /**
   * Lets in callers that have a key or are signed in. A hook for the routes of the interface; with callbacks, because
   * every request waits for it and the framework takes longer to wait for a promise of a promise.
   */
  readonly authenticate = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authentication, limits, now } = this.#parts;
    const at = now();
    if (request.routeOptions.config.isTimed) request.timings = new RequestTimings('auth');
    const token = this.#sessionTokenOf(request);
    const recognised = token === undefined && request.known ? authentication.recognise(request.known) : undefined;
    if (recognised) {
      done(this.#admitted(recognised, request, reply, at));
      return;
    }
    const sender = limits.sender(request, reply, now);
    const principal =
      token === undefined
        ? authentication.authenticate(keyOf(request), sender)
        : authentication.authenticateSession(token, sender);
    principal.then(
      (known) => done(this.#admitted(known, request, reply, at)),
      (error) => done(this.#unknown(error, request, reply, at)),
    );
  };

  /** Admission for routes that only programs call: nobody sends records from a page. */
  readonly authenticateKey = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    request.takesNoSession = true;
    this.authenticate(request, reply, done);
  };

  /** Admission for what pages do beyond the interface: no key may make keys, roles or teams. */
  readonly authenticateSession = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void =>
    this.authenticate(request, reply, (error) => {
      if (error instanceof Refusal && error.reason === 'unauthenticated' && !hasKey(request)) done(notSignedIn);
      else done(error ?? (principalOf(request).session ? undefined : keysRefused));
    });

  /** The signed-in person, for pages: no person is no error there. */
  async sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined> {
    if (this.#sessionTokenOf(request) === undefined) return undefined;
    const error = await new Promise<Error | undefined>((done) => this.authenticate(request, reply, done));
    if (!error) return principalOf(request);
    if (error instanceof Refusal && error.reason === 'unauthenticated') return undefined;
    throw error;
  }

  /** A request with both a key and a session is made with the key. */
  #sessionTokenOf(request: FastifyRequest): string | undefined {
    return request.takesNoSession || hasKey(request) ? undefined : this.#parts.cookie.read(request);
  }

  #secretOf(request: FastifyRequest): string | undefined {
    return this.#sessionTokenOf(request) ?? keyOf(request);
  }

  #admitted(principal: Principal, request: FastifyRequest, reply: FastifyReply, at: Date): Refusal | undefined {
    const { limits, lastUsed, address } = this.#parts;
    request.visit?.become(principal);
    const refusal = limits.countRequest(principal, reply, at);
    if (refusal) return refusal;
    lastUsed.note(principal, at);
    request.principal = principal;
    request.timings?.enter('plan');
    // A browser names the origin of a page that asks, except where the page is ours and changes nothing.
    const isOwn = (request.method === 'GET' || request.method === 'HEAD') && request.headers.origin === undefined;
    return principal.session && !isOwn ? address.foreignOrigin(request) : undefined;
  }

  #unknown(error: Error, request: FastifyRequest, reply: FastifyReply, at: Date): Error {
    if (!(error instanceof Refusal) || error.reason !== 'unauthenticated') return error;
    const { limits, prometheus } = this.#parts;
    // A session that has ended is no guess: every browser sends one some day.
    if (this.#sessionTokenOf(request) !== undefined) return limits.countKeyless(request, reply, at) ?? error;
    prometheus?.countWrongKey();
    if (hasKey(request)) return limits.countWrong(request, reply, at) ?? error;
    const reason = holdsKey(request.raw.url ?? '') ? onlyKeyInAddress : error;
    return limits.countKeyless(request, reply, at) ?? reason;
  }

  /** No route matches the request. A caller without a key does not learn which paths exist. */
  #refuseUnrouted(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void {
    const { paths } = this.#parts;
    const url = request.raw.url ?? '/';
    const path = readablePath(url);
    const meant = urlWithoutSlash(url);
    const refusal = paths.refusal(request.method, path);
    const admit = this.#hookFor(path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (admit) admit(request, reply, (error) => done(error ?? refusal));
    // A slash that is written `%2F` stays, and an address that stays the same leads nowhere.
    else if (isRead && paths.withoutSlash(path) && meant !== url) reply.redirect(meant, 308);
    else done(refusal);
  }

  #hookFor(path: string): Admission['authenticate'] | undefined {
    if (isPagePath(path)) return this.authenticateSession;
    if (isProgramPath(path)) return this.authenticateKey;
    return isInterfacePath(path) ? this.authenticate : undefined;
  }

  /** The principal of a key or session, where it is known without the store. */
  #callerOf(request: FastifyRequest): Caller {
    request.known = this.#parts.authentication.known(this.#secretOf(request)) ?? null;
    return request.known?.principal ?? stranger(clientOf(request.ip));
  }

  /** Why a request is refused, or that the refusal is sent already or comes later. */
  #turnedAway(
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
    refuse: (error: Error) => void,
  ): Refusal | 'refused' | undefined {
    const { drain, load, prometheus } = this.#parts;
    const secret = isStranger(caller) ? this.#secretOf(request)?.trim() : undefined;
    const bodyBytes = Number(request.headers['content-length'] ?? 0) || 0;
    const visit = load.enter(caller, bodyBytes, secret === undefined ? undefined : hashOf(secret));
    request.visit = visit;
    reply.raw.on('close', () => visit.leave(reply.raw.statusCode === 503));
    if (drain.isDraining) {
      reply.header('connection', 'close');
      if (isProbe(request)) return undefined;
      prometheus?.countShed('draining');
      return new Refusal('unavailable', 'The service is shutting down. Send the request again in a moment.', {
        retryAfterSeconds: 5,
      });
    }
    if (visit.isTooMuch && !isProbe(request)) {
      prometheus?.countShed('overloaded');
      visit.leave();
      // A caller without a known key may be a person with a browser: they get a page where there are pages.
      load.refuse(caller, () => (isStranger(caller) ? refuse(overloaded) : answerOverloaded(reply)));
      return 'refused';
    }
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return new Refusal('bad-input', 'The header Host is missing.');
    }
    return undefined;
  }
}

const notSignedIn = new Refusal('unauthenticated', 'Sign in first: this is for people who are signed in.');
const keysRefused = new Refusal('forbidden', 'This is for people who are signed in. An API key cannot be used for it.');

const isProbe = (request: FastifyRequest): boolean => request.routeOptions.config.isProbe === true;

const hasKey = ({ headers }: FastifyRequest): boolean => (headers.authorization ?? '').trim() !== '';

const bearer = /^\s*bearer\s+/i;
/** Agents also ask with methods that it does not take, to see whether it does. */
const isAgentPath = (url: string): boolean => /^\/mcp(?:[/?#]|$)/.test(url);

function keyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers.authorization;
  // Few keys come so, and the framework rebuilds the options of a route each time they are read.
  if (sent === undefined || !bearer.test(sent)) return sent;
  const takesBearer = request.is404 ? isAgentPath(request.raw.url ?? '') : request.routeOptions.config.takesBearer;
  return takesBearer ? sent.replace(bearer, '') : sent;
}

/** The caller. Only routes behind `authenticate` may ask. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error(`${request.routeOptions.url} is served without authentication`);
  return request.principal;
}

/** A hook for routes that only such a person may use, by a key of theirs or signed in. */
export const onlyFor =
  (role: AccessRole, what: string) =>
  (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { role: asking, session } = principalOf(request);
    const needed = session
      ? `${what} needs the role ${role}. You have the role ${asking}.`
      : `${what} needs a key whose creator has the role ${role}. The creator of this key has the role ${asking}.`;
    done(asking === role ? undefined : new Refusal('forbidden', needed));
  };
