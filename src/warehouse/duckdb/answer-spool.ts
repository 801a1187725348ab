import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hold } from '../../admission/budget.ts';
import type { Ticket } from '../../admission/ticket.ts';
import type { AnswerRow, Query } from '../../query/plan.ts';
import { Refusal } from '../../refusal.ts';
import { noRoom, noShare, type SpoolSpace } from '../spool-space.ts';
import type { AnswerPart } from '../sql/query-sql.ts';
import type { Sql } from '../sql/sql.ts';
import type { SqlContext } from '../sql/sql-context.ts';
import { AnswerParts } from './answer-parts.ts';
import { EngineError, isFullDisk, type MemoryTurns } from './engine-failures.ts';
import { EscapeWriter } from './json-object.ts';
import type { Tuning } from './limits.ts';
import { statementFor } from './query-session.ts';
import type { Task } from './task.ts';

/** Measured: with half of it, sending a long answer takes a twentieth more of the processor. */
const pieceBytes = 512 * 1_024;
/** The size of an answer beyond its values: escapes, commas and the names of columns. */
const expectedTimes = 1.5;
const expectedMore = 64 * 1_024;
/** Answers with rows that are longer than this are made one part at a time. */
const longRow = 256 * 1_024;
/** The engine looks at one state of the tables for no longer than this, however slowly the answer is read. */
const maxWritingMinutes = 30;

export interface Spooling {
  readonly context: SqlContext;
  readonly query: Query;
  /** The statement whose only column is the line of a row. */
  readonly say: (part: AnswerPart) => Sql;
  readonly ticket: Ticket;
  /** How long each statement may take. */
  readonly seconds: number;
  readonly tuning: Pick<Tuning, 'sortedRows' | 'sortedBytes' | 'aheadBytes'>;
  readonly space: SpoolSpace;
  readonly memoryTurns: MemoryTurns;
  readonly makeFolder: () => Promise<string>;
  /** Does some work inside a transaction, until it is told to stop. */
  readonly visit: (work: (task: Task) => Promise<void>, signal: AbortSignal) => Promise<void>;
}

/** Some rows of an answer on disk, one row a line. */
export interface SpooledPart {
  readonly path: string;
  readonly bytes: number;
}

/**
 * The parts of an answer, each as soon as it is written: while one part is read, the engine writes the next. A reader
 * that stops also stops the engine, and returns once the engine has stopped.
 */
export async function* spooledParts(spooling: Spooling): AsyncGenerator<SpooledPart> {
  const { ticket, seconds, memoryTurns, makeFolder, visit } = spooling;
  const folder = await makeFolder();
  const spool = new AnswerSpool(spooling, folder);
  const write = () => visit((task) => spool.write(task), spool.signal);
  const written = memoryTurns
    .attempt(write, () => !spool.hasBegun)
    .then(
      () => spool.end(),
      (error) => spool.end({ error }),
    );
  try {
    for await (const part of spool.read()) {
      // The caller gets this part: what follows may be late, but cannot be refused any more.
      ticket.waiting?.lift(seconds * 1_000);
      yield part;
    }
  } finally {
    spool.stop();
    await written;
    await rm(folder, { recursive: true, force: true });
    // The room is free for others once the files are gone.
    spool.release();
  }
}

/**
 * Writes an answer of any length into files, so that the engine holds neither a place among the running statements nor
 * memory while a slow client reads it. The engine's own streams would hold both, and after an error they end as if they
 * were complete; here the engine says how many rows it wrote. A long answer is made part by part. Each part is so small
 * that sorting it takes little memory, and the engine stays close ahead of the reader.
 */
class AnswerSpool {
  readonly #spooling: Spooling;
  readonly #folder: string;
  readonly #parts: SpooledPart[] = [];
  readonly #stop = new AbortController();
  /** Stops what is written: because nobody reads it any more, or because there is no room for it. */
  readonly signal: AbortSignal;
  #reservation: Hold | undefined;
  /** Bytes on the disk that have not been read to their end. */
  #unread = 0;
  #isWritten = false;
  #end: { readonly error?: unknown } | undefined;
  /** Wakes the writer, who waits for room, or the reader, who waits for a part: never both at a time. */
  #wake = () => {};

  constructor(spooling: Spooling, folder: string) {
    this.#spooling = spooling;
    this.#folder = folder;
    const { signal } = spooling.ticket;
    this.signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    this.signal.addEventListener('abort', () => this.#wake());
  }

  /** Whether there is a part already, which somebody may have read. */
  hasBegun = false;

  /** Each part once. A reader that asks for the next part has read the last one to its end. */
  async *read(): AsyncGenerator<SpooledPart> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) {
        yield part;
        await rm(part.path, { force: true });
        this.#unread -= part.bytes;
        if (this.#isWritten) this.#reservation?.shrinkTo(this.#unread);
        this.#wake();
      } else if (!this.#end) await this.#change();
      else if ('error' in this.#end) throw this.#end.error;
      else return;
    }
  }

  stop(): void {
    this.#stop.abort(new Error('nobody reads the answer any more'));
  }

  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#wake();
  }

  release(): void {
    this.#reservation?.release();
  }

  /** Can be tried again as long as it has not begun. */
  async write(task: Task): Promise<void> {
    this.release();
    const { context, query, tuning, space, ticket } = this.#spooling;
    // Several parts have to fit into what one key may take, also those that turn out longer than expected.
    const limits = { rows: tuning.sortedRows, bytes: Math.min(tuning.sortedBytes, Math.ceil(space.keyBytes / 16)) };
    let hasLongRows = false;
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => (hasLongRows ? space.inTurn(work) : work());
    const ask = <V>(statement: Parameters<Task['values']>[0]) => inTurn(() => task.values<V>(statement));
    const parts = new AnswerParts(ask, context, query, limits);
    const size = await parts.measure();
    // Rows of very long texts are read by one statement at a time across all callers: the engine reads 2,048 of them at
    // once.
    hasLongRows = size.longestRow > longRow;
    const expected = Math.ceil(size.bytes * expectedTimes) + expectedMore;
    const ahead = Math.min(expected, tuning.aheadBytes, space.keyBytes / 2);
    const reservation = await space.reserve({ ...ticket, signal: this.signal }, ahead);
    this.#reservation = reservation;
    const late = setTimeout(() => this.#stop.abort(tooSlowlyRead()), maxWritingMinutes * 60_000);
    try {
      let [written, i, times] = [0, 0, expectedTimes];
      for await (const { part, bytes } of parts.of(size)) {
        await this.#room(Math.ceil(bytes * times), reservation);
        const made = await inTurn(() => this.#writePart(task, part, `${i}.ndjson`, reservation));
        written += made.rows;
        i += 1;
        // Escapes can make texts several times as long: the parts to come are likely to be like those before.
        times = Math.max(times, (made.bytes / Math.max(1, bytes)) * 1.2);
      }
      if (written !== size.rows) throw new Error(`an answer of ${size.rows} rows was written with ${written}`);
      this.#isWritten = true;
      reservation.shrinkTo(this.#unread);
    } finally {
      clearTimeout(late);
    }
  }

  /** Waits until there are so few unread bytes that this many more fit, or none at all. */
  async #room(bytes: number, reservation: Hold): Promise<void> {
    while (!this.signal.aborted && this.#unread > 0 && this.#unread + bytes > reservation.amount) await this.#change();
    this.signal.throwIfAborted();
    if (await this.#spooling.space.isShort()) throw noRoom();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #writePart(
    task: Task,
    part: AnswerPart,
    name: string,
    reservation: Hold,
  ): Promise<{ readonly rows: number; readonly bytes: number }> {
    const path = join(this.#folder, name);
    const { sql, values } = statementFor(this.#spooling.say(part));
    try {
      const rows = await task.changed({ sql: `COPY (${sql}) TO ${text(path)} (${linesOfText})`, values });
      const { size: bytes } = await stat(path);
      // A part may turn out longer than it was expected to be.
      const more = this.#unread + bytes - reservation.amount;
      if (more > 0 && !reservation.tryGrow(more)) throw noShare();
      this.signal.throwIfAborted();
      this.hasBegun = true;
      this.#parts.push({ path, bytes });
      this.#unread += bytes;
      this.#wake();
      return { rows, bytes };
    } catch (error) {
      // Nothing but this answer is harmed: the engine has only read its tables.
      throw error instanceof EngineError && isFullDisk(error) ? noRoom(error) : error;
    }
  }
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** One JSON text a line. Inside JSON every control character is escaped, so that nothing ever needs to be quoted. */
const linesOfText = "FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '', NULLSTR ''";

const tooSlowlyRead = (): Refusal =>
  new Refusal('too-slow', `An answer has to be read within ${maxWritingMinutes} minutes. Ask for less at once.`);

/** The rows of an answer that was spooled as lists of cells, batch by batch. */
export async function* readRows(parts: AsyncIterable<SpooledPart>): AsyncGenerator<AnswerRow[]> {
  for await (const part of parts) {
    let rest: Buffer[] = [];
    for await (const piece of piecesOf(part)) {
      const end = piece.lastIndexOf(newline);
      if (end !== -1) {
        const lines = Buffer.concat([...rest, piece.subarray(0, end)]).toString();
        yield JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as AnswerRow[];
        rest = [];
      }
      rest.push(piece.subarray(end + 1));
    }
  }
}

const newline = 0x0a;

/** The rows of an answer that was spooled as JSON objects, one a line. Pieces end anywhere, since a row can be very long. */
export async function* readObjects(parts: AsyncIterable<SpooledPart>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    const escapes = new EscapeWriter();
    for await (const piece of piecesOf(part)) yield escapes.write(piece);
  }
}

async function* piecesOf({ path, bytes }: SpooledPart): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) {
    read += piece.length;
    yield piece;
  }
  if (read !== bytes) throw new Error(`a part of ${bytes} bytes ended after ${read}`);
}
