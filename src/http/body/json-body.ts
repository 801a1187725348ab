import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type JsonLimits, readJson as readBounded } from '../../bounded-json.ts';
import { Refusal } from '../../refusal.ts';
import { maxBodyBytes } from '../errors.ts';

/** Reads bodies as JSON in UTF-8, and nothing else. */
export function acceptOnlyJson(app: FastifyInstance): void {
  acceptJson(app, (body, done) => {
    readJson(body).then((value) => done(null, value), done);
  });
}

/** Hands bodies over as they came: a question that was asked before need not be read again. */
export function acceptUnreadJson(app: FastifyInstance): void {
  acceptJson(app, (body, done) => done(null, body));
}

type BodyDone = (error: Error | null, body?: unknown) => void;

/** Uses callbacks: an unread body needs no promise. */
function acceptJson(app: FastifyInstance, read: (body: Buffer, done: BodyDone) => void): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (request, body, done) => {
      const refusal = foreignForm(request);
      if (refusal) done(refusal);
      else read(body, done);
    },
  );
}

/** The body of a request on a route that gets it unread, or nothing where nothing was sent. */
export const unreadBody = ({ body }: FastifyRequest): Buffer | undefined => (Buffer.isBuffer(body) ? body : undefined);

/** The body of a question, read. */
export async function readBody(request: FastifyRequest): Promise<unknown> {
  const body = unreadBody(request);
  return body && (await readJson(body));
}

/** No operation has a field that is nested deeper, and no more identifiers than this fit into a body. */
const limits: JsonLimits = { depth: 16, values: 50_000 };

async function readJson(body: Buffer): Promise<unknown> {
  if (body.length === 0)
    throw new Refusal(
      'bad-input',
      'The body is empty: it must be a JSON object. /docs shows an example for each operation.',
    );
  if (!isUtf8(body)) throw new Refusal('bad-input', 'The body is not valid UTF-8.');
  // Excel and other tools begin every file with a byte order mark, which JSON itself does not know.
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  const reading = await readBounded(text, limits);
  if ('value' in reading) return reading.value;
  const problem = reading.problem.replace(/^is not JSON/, 'is not valid JSON');
  const rule = problem === reading.problem ? '' : ' Names and texts need double quotes, and no comma follows the last.';
  throw new Refusal('bad-input', `The body ${problem}.${rule}`);
}

/** Why a body cannot be read as text: it is packed, or not in UTF-8. */
export function foreignForm({ headers }: FastifyRequest, what = 'JSON'): Refusal | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    return new Refusal('not-json', `The body must be sent plain, not with Content-Encoding: ${encoding}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  return charset !== undefined && !/^utf-?8$/i.test(charset)
    ? new Refusal('not-json', `The body must be ${what} in UTF-8, not in ${charset}.`)
    : undefined;
}
