import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Reason, Refusal } from '../refusal.ts';
import type { RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The message for callers when the operation fails by a fault of ours. */
    readonly unexpected?: string;
  }
}

/** The caller has hung up: nobody gets this error. */
export class CallerGone extends Error {
  constructor() {
    super('the caller is gone');
  }
}

export const jsonType = 'application/json; charset=utf-8';

/** The status and message of an error for the caller. */
export interface ErrorAnswer {
  readonly status: number;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Not the caller's fault: an operator has to look at it. */
  readonly isFault: boolean;
}

const internalError = 'Internal server error';

export const maxBodyBytes = 1_048_576;

/** The one place where an error becomes a status and a detail. What is not understood says nothing about itself. */
export function answerTo(error: unknown, unexpected: string = internalError): ErrorAnswer {
  if (error instanceof Refusal) {
    return {
      status: statusOf(error.reason),
      detail: error.message,
      headers: headersOf(error),
      isFault: false,
    };
  }
  const known = frameworkAnswer(error);
  if (known) return { ...known, headers: {}, isFault: false };
  return { status: 500, detail: unexpected, headers: {}, isFault: true };
}

function statusOf(reason: Reason): number {
  switch (reason) {
    case 'bad-input':
      return 400;
    case 'unauthenticated':
      return 401;
    case 'forbidden':
      return 403;
    case 'not-found':
      return 404;
    case 'method-not-allowed':
      return 405;
    case 'too-late':
      return 408;
    case 'conflict':
      return 409;
    case 'changed-meanwhile':
      return 412;
    case 'too-large':
      return 413;
    case 'too-long-address':
      return 414;
    case 'not-json':
      return 415;
    case 'condition-missing':
      return 428;
    case 'too-many-requests':
      return 429;
    case 'unavailable':
      return 503;
    case 'too-slow':
      return 504;
  }
}

function headersOf({ reason, hints }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (hints.allow !== undefined) headers.allow = hints.allow.join(', ');
  if (hints.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(hints.retryAfterSeconds));
  else if (reason === 'unavailable' || reason === 'too-many-requests') headers['retry-after'] = '1';
  // A client that sends this slowly would send the rest just as slowly.
  if (reason === 'too-late') headers.connection = 'close';
  if (reason === 'unauthenticated') headers['www-authenticate'] = 'ApiKey realm="Plumb"';
  return headers;
}

interface KnownAnswer {
  readonly status: number;
  readonly detail: string;
}

/** Refusals that Fastify makes before any code of ours runs, in words of ours. */
const frameworkAnswers: Readonly<Record<string, KnownAnswer>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: 'The body is too large: at most 1 MiB is accepted.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    detail: 'The body must be JSON, sent with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    detail: 'The body is not as long as the header Content-Length says.',
  },
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: { status: 400, detail: 'The header Content-Type is missing.' },
  FST_ERR_BAD_URL: { status: 404, detail: 'There is nothing at this path.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, detail: 'There is nothing at this path.' },
};

function frameworkAnswer(error: unknown): KnownAnswer | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : frameworkAnswers[code];
  if (known) return known;
  // A connection that breaks off in the middle of a body, or a file of the reference page that is not there. Their own
  // messages may name paths of this machine.
  if (statusCode === 404 || statusCode === 403) return { status: 404, detail: 'There is nothing at this path.' };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: 400, detail: 'The request could not be read.' };
  }
  return undefined;
}

export const detailBody = (detail: string): string => JSON.stringify({ detail });

/**
 * A stream on its way to a caller who hangs up is closed before its end, which Fastify reports like a failure of the stream
 * where nothing of it was sent yet. A stream that fails by itself brings an error of its own.
 */
function isOfCallerGone(error: unknown, { raw }: FastifyReply): boolean {
  if (error instanceof CallerGone) return true;
  return raw.destroyed && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Answers with what the error is, in the form that the room under it wants: JSON for programs, a page for people. */
export function errorHandler(
  log: RequestLog,
  render: (answer: ErrorAnswer, request: FastifyRequest, reply: FastifyReply) => string = (answer, _request, reply) => {
    reply.type(jsonType);
    return detailBody(answer.detail);
  },
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const answer = answerTo(error, request.routeOptions.config.unexpected);
    // The operator needs the reason for the outage, such as a full disk; the caller needs only to know of the outage.
    const hasCause = error instanceof Refusal && error.cause !== undefined;
    if (hasCause && error.hints.isCausedElsewhere) log.refused(request, error);
    else if (hasCause || (answer.isFault && !isOfCallerGone(error, reply))) log.fault(request, error);
    // Fastify closes a connection whose body it refused to read, and the caller would get a reset in place of the
    // answer. The rest of the body is thrown away instead, for as long as the request timeout allows.
    if (answer.status !== 503 && reply.hasHeader('connection') && reply.raw.shouldKeepAlive) {
      reply.header('connection', 'keep-alive');
    }
    reply.code(answer.status).headers(answer.headers);
    reply.send(render(answer, request, reply));
  };
}
