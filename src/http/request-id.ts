import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sane = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/** The caller's own identifier when it is safe in a log line and a header, else a fresh one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && sane.test(sent) ? sent : randomUUID();
}
