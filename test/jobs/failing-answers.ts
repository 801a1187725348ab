import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a provider says of its hourly limit. Its clock is in seconds since 1970. */
export const limitLeft = (remaining: number, now: number): Record<string, string> => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(now + 900),
});

/** The answer of a provider that refuses, or that says with status 200 that it did not go well. */
export function refusedBy(fault: Fault | undefined, now: number): Reply | undefined {
  switch (fault) {
    case 'retry-after':
      return { status: 429, headers: { 'retry-after': '7' }, body: { message: 'later' } };
    case 'secondary-limit':
      return { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } };
    case 'secondary-limit-429':
      return { status: 429, body: { message: 'You have exceeded a secondary rate limit.' } };
    case 'primary-limit':
      return { status: 403, headers: limitLeft(0, now), body: { message: 'API rate limit exceeded' } };
    case 'outage':
      return { status: 503, body: { message: 'down' } };
    case 'bad-gateway':
      return { status: 502, body: { message: 'Bad Gateway' } };
    case 'rate-limited-200':
      return { status: 200, headers: limitLeft(0, now), body: { errors: [{ type: 'RATE_LIMITED', message: 'slow' }] } };
    case 'broken-200':
      return { status: 200, body: { data: null, errors: [{ type: 'INTERNAL', message: 'oops' }] } };
    case 'too-long-200':
      return { status: 200, body: { data: null, errors: [{ message: 'Something went wrong, perhaps a timeout.' }] } };
    default:
      return undefined;
  }
}

/** Sends an answer, or as much of it as the fault leaves. */
export function sendReply(
  response: ServerResponse,
  { status, headers = {}, body }: Reply,
  { now, fault }: { readonly now: number; readonly fault?: Fault | undefined },
): void {
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const date = new Date(now * 1_000).toUTCString();
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = status === 304 ? {} : { 'content-type': 'application/json; charset=utf-8' };
  if (fault === 'reset-half-way') {
    response.writeHead(status, { date, ...type, 'content-length': Buffer.byteLength(text) + 10, ...headers });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
    return;
  }
  response.writeHead(status, { date, ...type, ...headers });
  response.end(fault === 'cut-json' ? text.slice(0, Math.floor(text.length * 0.7)) : text);
}
