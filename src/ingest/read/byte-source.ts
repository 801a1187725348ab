import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../../refusal.ts';

/** The input broke off. The caller, which knows how many lines were whole by then, makes a Refusal of it. */
export class BrokenInput extends Error {}

export interface Meter {
  /** Bytes taken from the disk or the pipe, before gzip: what can be compared with the size of the file. */
  bytesRead: number;
}

/** Opens the file when the first bytes are asked for, so that nothing is left open when nobody asks. */
export async function* fileBytes(path: string, meter: Meter): AsyncGenerator<Buffer> {
  yield* metered(createReadStream(path, { highWaterMark: 65_536 }), meter);
}

export async function* metered(stream: Readable, meter: Meter): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      meter.bytesRead += bytes.length;
      yield bytes;
    }
  } catch (error) {
    throw new BrokenInput(`reading failed (${errorCode(error)})`);
  }
}

/** One of the operating system's codes, such as EACCES. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}

interface Start {
  readonly head: Buffer;
  readonly all: AsyncGenerator<Buffer>;
}

/** Looks at the first bytes without taking them away. Fewer than asked for only when there are no more. */
async function startOf(chunks: AsyncGenerator<Buffer>, length: number): Promise<Start> {
  let head = Buffer.alloc(0);
  while (head.length < length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: followedBy(head, chunks) };
}

async function* followedBy(head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    yield* chunks;
  } finally {
    await chunks.return(undefined);
  }
}

/** Plain bytes of what may be gzip: recognised by the first two bytes, which no text can have. */
export async function* unpacked(chunks: AsyncGenerator<Buffer>, mustBeGzip: boolean): AsyncGenerator<Buffer> {
  const { head, all } = await startOf(chunks, 2);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (mustBeGzip && !isGzip) {
    await all.return(undefined);
    throw new BrokenInput(head.length === 0 ? 'it is empty' : 'it is not gzip, though it is said to be');
  }
  yield* isGzip ? gunzipped(all) : all;
}

// Deflate packs at most 1,032 to 1, so that much input never unpacks to more than 17 MB at once.
const maxPackedBytes = 16_384;

/**
 * Driven by hand, since a stream that fails throws away what it had already unpacked, and the lines before the damage
 * are good.
 */
async function* gunzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpackedChunks: Buffer[] = [];
  let failure: Error | undefined;
  let ended = false;
  let stopped = () => {};
  gunzip.on('data', (chunk: Buffer) => unpackedChunks.push(chunk));
  gunzip.on('error', (error) => {
    failure = error;
    stopped();
  });
  // Comes early when zeros follow the last member: padding, which gzip allows. The write before it is never answered.
  gunzip.on('end', () => {
    ended = true;
    stopped();
  });
  const until = (work: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      stopped = resolve;
      if (failure || ended) resolve();
      else work(resolve);
    });
  let offeredBytes = 0;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += maxPackedBytes) {
        const packed = chunk.subarray(at, at + maxPackedBytes);
        await until((done) => gunzip.write(packed, () => done()));
        yield* unpackedChunks.splice(0);
        if (failure) throw new BrokenInput('its gzip data is damaged, or something else follows it');
        const left = packed.subarray(Math.max(0, gunzip.bytesWritten - offeredBytes));
        if (ended && left.some((byte) => byte !== 0)) throw new BrokenInput('something follows its gzip data');
        offeredBytes += packed.length;
      }
    }
    await until(() => gunzip.end());
    yield* unpackedChunks.splice(0);
    if (failure) throw new BrokenInput('its gzip data is cut short or damaged');
  } finally {
    gunzip.destroy();
  }
}

/** Takes the byte order mark off, and refuses the encodings that only a mark gives away. */
export async function* utf8Bytes(chunks: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const { head, all } = await startOf(chunks, 3);
  try {
    if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
      throw new Refusal('bad-input', `${name} is written in UTF-16. Save it as UTF-8`);
    }
    let markLength = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    for await (const chunk of all) {
      yield chunk.subarray(markLength);
      markLength = 0;
    }
  } finally {
    await all.return(undefined);
  }
}
