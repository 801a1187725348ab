import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Budget, type Hold } from '../../admission/budget.ts';
import { serviceTicket } from '../../admission/ticket.ts';
import { BrokenInput } from '../../ingest/read/byte-source.ts';
import { type NamelessFile, openNameless } from '../../ingest/read/spool.ts';
import { Refusal } from '../../refusal.ts';
import { maxBodyBytes } from '../errors.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long is waited for the next byte at most; every second at the least rate gives a second of it back. */
  readonly patienceMs: number;
  /** The least rate of a sender, in bytes a second. Time that we take ourselves does not count. */
  readonly bytesASecond: number;
}

export interface BufferedBodyParts {
  readonly limits: BodyLimits;
  readonly room: Budget;
  readonly folder: string;
}

const mebibyte = 1_048_576;

/**
 * How much of the disk bodies may take while they arrive, in all and of one organisation. Counted by what has come, so
 * that a sender who sends slowly takes next to nothing, and others of its organisation still find room.
 */
export const bodyBudget = (): Budget =>
  new Budget({ shares: { all: 4_096 * mebibyte, organisation: 512 * mebibyte }, crowded: tooManyRecords });

export const tooManyRecords = (): Refusal =>
  new Refusal('unavailable', 'Too many records are being sent at once. Send these again in a moment.', {
    retryAfterSeconds: 10,
  });

/**
 * A body that has arrived to its end, or to where it broke off: a short one in memory, a longer one in a file without a
 * name. The code that works on it never waits for the sender, and so holds up no other request.
 */
export class BufferedBody {
  readonly #parts: BufferedBodyParts;
  readonly #place: Hold;
  #held: Buffer[] = [];
  #file: NamelessFile | undefined;
  #bytes = 0;
  #failure: unknown;

  private constructor(parts: BufferedBodyParts, place: Hold) {
    this.#parts = parts;
    this.#place = place;
  }

  /** Takes a body in, as it is sent. An error comes after the bytes that arrived before it. */
  static async receive(parts: BufferedBodyParts, organisationId: string, stream: Readable): Promise<BufferedBody> {
    const body = new BufferedBody(parts, parts.room.open({ ticket: serviceTicket(organisationId) }));
    try {
      await body.#receive(stream);
    } catch (error) {
      await body.close();
      throw error;
    }
    return body;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws where it broke off, before anything of it is used. */
  requireWhole(): void {
    if (this.#failure instanceof BrokenInput) throw brokenOff();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    if (this.#file) yield* this.#read(this.#file.file);
    else yield* this.#held;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    this.#held = [];
    const file = this.#file;
    this.#file = undefined;
    this.#place.release();
    await file?.close();
  }

  async #receive(stream: Readable): Promise<void> {
    const { maxBytes, patienceMs, bytesASecond } = this.#parts.limits;
    let patience = patienceMs;
    for (;;) {
      const began = performance.now();
      const chunk = await nextChunk(stream, patience).catch((error: unknown) => {
        this.#failure = error;
        return undefined;
      });
      if (chunk === undefined) return;
      const waited = performance.now() - began;
      patience = Math.min(patienceMs, patience - waited + (chunk.length / bytesASecond) * 1_000);
      const fitting = chunk.subarray(0, maxBytes - this.#bytes);
      await this.#keep(fitting);
      if (fitting.length < chunk.length) {
        this.#failure = tooLarge();
        return;
      }
    }
  }

  async #keep(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    if (!this.#file && this.#bytes <= maxBodyBytes) {
      this.#held.push(chunk);
      return;
    }
    const held = this.#held;
    this.#held = [];
    this.#file ??= await openNameless(this.#parts.folder).catch(noRoom);
    for (const piece of [...held, chunk]) {
      if (!this.#place.tryGrow(piece.length)) throw tooManyRecords();
      // Reads follow one another, by the file's own position.
      await this.#file.file.write(piece).catch(noRoom);
    }
  }

  async *#read(file: FileHandle): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.#bytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(readBytes, this.#bytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw new Error('a body that was kept is no longer whole');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

const readBytes = 65_536;

export const tooLarge = (): Refusal =>
  new Refusal('too-large', 'The body is too large: at most 64 MiB is accepted, also when it is unpacked.');

const brokenOff = (): Refusal =>
  new Refusal('bad-input', 'The connection ended in the middle of it. Nothing was kept.');

function noRoom(cause: unknown): never {
  throw new Refusal('unavailable', 'There is no room for the body at the moment. Send it again later.', {
    retryAfterSeconds: 60,
    cause,
  });
}

const late = (): Refusal =>
  new Refusal('too-late', 'The body came too slowly: at least 16 KiB a second are needed. Send it again, faster.');

/**
 * The next bytes, or nothing at the end. Not by the stream's own iterator: one that waits for a silent sender cannot be
 * left any more.
 */
async function nextChunk(stream: Readable, patienceMs: number): Promise<Buffer | undefined> {
  const ends = performance.now() + patienceMs;
  for (;;) {
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) return chunk;
    if (stream.readableEnded) return undefined;
    if (stream.destroyed) throw new BrokenInput('the connection ended in the middle of it');
    const left = ends - performance.now();
    if (left <= 0) throw late();
    await somethingHappens(stream, left);
  }
}

const happenings = ['readable', 'end', 'close', 'error'] as const;

function somethingHappens(stream: Readable, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const event of happenings) stream.off(event, done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const event of happenings) stream.on(event, done);
  });
}
