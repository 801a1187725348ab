import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { bodyBytesMost } from './errors.ts';

/** Reads bodies as JSON in UTF-8, and nothing else. */
export function acceptOnlyJson(app: FastifyInstance): void {
  acceptJson(app, readJson);
}

/** The same bodies, handed over as they came: what was asked before need not be read again. */
export function acceptUnreadJson(app: FastifyInstance): void {
  acceptJson(app, (body) => body);
}

function acceptJson(app: FastifyInstance, read: (body: Buffer) => unknown): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyBytesMost },
    (request, body, done) => {
      try {
        refuseForeignForms(request);
        done(null, read(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** The body of a request on a route that gets it unread, or nothing where nothing was sent. */
export const unreadBody = ({ body }: FastifyRequest): Buffer | undefined => (Buffer.isBuffer(body) ? body : undefined);

/** The same, read. */
export function readBody(request: FastifyRequest): unknown {
  const body = unreadBody(request);
  return body && readJson(body);
}

function readJson(body: Buffer): unknown {
  if (body.length === 0) throw new Refusal('bad-input', 'The body is empty: it must be a JSON object.');
  if (!isUtf8(body)) throw new Refusal('bad-input', 'The body is not valid UTF-8.');
  // Some tools begin every file with a byte order mark, which JSON itself does not know.
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = error instanceof SyntaxError ? `: ${error.message}` : '';
    throw new Refusal('bad-input', `The body is not valid JSON${where}.`);
  }
}

function refuseForeignForms({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw new Refusal('not-json', `The body must be sent plain, not with Content-Encoding: ${encoding}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new Refusal('not-json', `The body must be JSON in UTF-8, not in ${charset}.`);
  }
}
