import { pipeline, type Readable } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../admission/response-headers.ts';
import { maxShortBytes } from './long-answers.ts';

type Encoding = 'br' | 'gzip';

/** Shorter bodies fit into one packet as they are. */
const minBytes = 1_024;
const compressible = /^(?:text\/(?!event-stream)|application\/(?:json|x-ndjson|yaml|javascript)|image\/svg\+xml)/;

const brotli = {
  params: {
    // The usual 11 is for files that are compressed once. A window of 256 KB keeps an answer at about a megabyte.
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};
// Every piece of a streamed answer goes out when it comes, not when the compressor has collected enough.
const streams = {
  br: () => createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};
const whole = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, brotli),
  gzip: (bytes: Buffer) => gzipSync(bytes),
};

type CompressionDone = (error: Error | null, payload?: unknown) => void;

/**
 * A hook that compresses bodies for clients that accept it. By hand, because @fastify/compress cannot decide by the
 * request whether to compress, sends `Vary` with compressed answers only, and would decompress what is sent here as
 * well.
 */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: CompressionDone,
): void {
  const type = String(reply.getHeader('content-type') ?? '');
  // An answer with ranges is a file, which has compressed copies of its own.
  if (!compressible.test(type) || reply.hasHeader('accept-ranges')) {
    done(null, payload);
    return;
  }
  addVary(reply, 'Accept-Encoding');
  const encoding = encodingFor(request);
  if (!encoding) done(null, payload);
  else if (isStream(payload)) done(null, compressStream(reply, payload, encoding));
  else if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) done(null, payload);
  else done(null, compressWhole(reply, Buffer.from(payload as Buffer), encoding));
}

/** Whether a body of so many bytes, of a kind that can be, would be compressed for this caller. */
export const isCompressedFor = (request: FastifyRequest, bytes: number): boolean =>
  bytes >= minBytes && encodingFor(request) !== undefined;

function compressWhole(reply: FastifyReply, bytes: Buffer, encoding: Encoding): Buffer | Readable {
  if (bytes.length < minBytes) return bytes;
  reply.header('content-encoding', encoding);
  if (bytes.length <= maxShortBytes) {
    const small = whole[encoding](bytes);
    reply.header('content-length', small.length);
    return small;
  }
  // Longer ones would keep the event loop.
  reply.removeHeader('content-length');
  const stream = streams[encoding]();
  stream.end(bytes);
  return stream;
}

/** A failure of either stream ends the other: rows are let go when nobody reads them any longer. */
function compressStream(reply: FastifyReply, payload: Readable, encoding: Encoding): Readable {
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return pipeline(payload, streams[encoding](), () => {});
}

/**
 * A listener who learns the length of an encrypted answer can guess its text, where the answer also repeats text of
 * the listener (BREACH). A page of another site can make a browser ask with its cookie, any number of times: such
 * answers are not compressed. Nobody can make others ask with a key.
 */
function isFromAnotherSite({ principal, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return principal?.session !== undefined && site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Most callers send the same header again and again. */
const known = new Map<string, Encoding | undefined>();
const maxKnown = 100;
const acceptLongest = 500;

function encodingFor(request: FastifyRequest): Encoding | undefined {
  const accepted = request.headers['accept-encoding'];
  if (accepted === undefined || request.method === 'HEAD' || isFromAnotherSite(request)) return undefined;
  if (typeof accepted !== 'string' || accepted.length > acceptLongest) return undefined;
  if (known.has(accepted)) return known.get(accepted);
  const best = likedBest(accepted);
  if (known.size >= maxKnown) known.clear();
  known.set(accepted, best);
  return best;
}

/** An encoding that is not named has the weight of `*`, or none. */
function likedBest(accepted: string): Encoding | undefined {
  const weights = new Map(
    accepted.split(',').map((one): [string, number] => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
      return [name, weight === undefined ? 1 : Number(weight) || 0];
    }),
  );
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 ? best : undefined;
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | null | undefined)?.pipe === 'function';
