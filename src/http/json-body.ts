import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type JsonLimits, readJson as readBounded } from '../bounded-json.ts';
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
    async (request: FastifyRequest, body: Buffer) => {
      refuseForeignForms(request);
      return read(body);
    },
  );
}

/** The body of a request on a route that gets it unread, or nothing where nothing was sent. */
export const unreadBody = ({ body }: FastifyRequest): Buffer | undefined => (Buffer.isBuffer(body) ? body : undefined);

/** The same, read. */
export async function readBody(request: FastifyRequest): Promise<unknown> {
  const body = unreadBody(request);
  return body && (await readJson(body));
}

/** No operation has a field that is nested deeper, and no more identifiers than this fit into a body. */
const limits: JsonLimits = { depth: 16, values: 50_000 };

async function readJson(body: Buffer): Promise<unknown> {
  if (body.length === 0) throw new Refusal('bad-input', 'The body is empty: it must be a JSON object.');
  if (!isUtf8(body)) throw new Refusal('bad-input', 'The body is not valid UTF-8.');
  // Some tools begin every file with a byte order mark, which JSON itself does not know.
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  const reading = await readBounded(text, limits);
  if ('value' in reading) return reading.value;
  throw new Refusal('bad-input', `The body ${reading.problem.replace(/^is not JSON/, 'is not valid JSON')}.`);
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
