import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers of every answer. They are written by hand: helmet does the same, once more for each request. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  // Answers differ by key and change with the directory: no proxy and no browser may keep one.
  'cache-control': 'no-store',
} as const;

/** A year. Sent only where the caller came by https: on plain http it would mean nothing, or lock a tester out. */
export const strictTransport = 'max-age=31536000; includeSubDomains';

/** Says that an answer depends on these headers of the request as well. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = String(reply.getHeader('vary') ?? '');
  if (before === '') {
    reply.header('vary', names.join(', '));
    return;
  }
  const known = before.split(',').map((one) => one.trim().toLowerCase());
  const more = names.filter((name) => !known.includes(name.toLowerCase()));
  if (more.length > 0) reply.header('vary', [before, ...more].join(', '));
}

/** The headers that a page of another origin may read, besides those that every page may read. */
const readable = [
  'Age',
  'ETag',
  'Retry-After',
  'Server-Timing',
  'X-Cache',
  'X-Data-Through',
  'X-Nearest-Rows',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Suppressed',
  'X-Total-Rows',
  'X-Truncated',
  'X-Unmatched-Filters',
  'X-Visibility',
].join(', ');

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id',
  'access-control-max-age': '600',
} as const;

/**
 * Pages of other origins that may ask with a key (PLUMB_CORS_ORIGINS). Never with a session: no answer allows credentials,
 * so a browser shows none of them to a page that asked with cookies.
 */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Whether pages of any other origin may ask. */
  get isAllowed(): boolean {
    return this.#origins.size > 0;
  }

  /** Lets the page read the answer where its origin is listed. Says whether the request is one of such a page. */
  allow(request: FastifyRequest, reply: FastifyReply, isBySession: boolean): boolean {
    if (!this.isAllowed) return false;
    addVary(reply, 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || isBySession || !this.#origins.has(origin)) return false;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', readable);
    return true;
  }

  /** Answers the question whether a page may ask at all, which a browser sends first, without a key. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
    reply.code(204).headers(preflightHeaders).send();
    return true;
  }
}
