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
import { EngineError } from './engine-error.ts';
import { isFullDisk } from './engine-failures.ts';
import { EscapeWriter } from './json-object.ts';
import type { MemoryTurns } from './memory-turns.ts';
import { PartQueue, type SpooledPart } from './part-queue.ts';
import { statementFor } from './query-session.ts';
import type { Task } from './task.ts';

export type { SpooledPart } from './part-queue.ts';

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Rows in one batch. */
const batchRows = 1_000;
/** Measured: with half of it, sending a long answer takes a twentieth more of the processor. */
const pieceBytes = 512 * 1_024;
/** What an answer takes beside what is expected: escapes, commas and the names of columns. */
const expectedTimes = 1.5;
const expectedMore = 64 * 1_024;
/** Answers with rows that are longer than this are made one part at a time. */
const longRow = 256 * 1_024;
/** How often it is looked how much the engine has written. */
const watchEveryMs = 100;
/** The engine looks at one state of the tables for no longer than this, however slowly the answer is read. */
const writingMinutesMost = 30;

export interface Spooling {
  readonly context: SqlContext;
  readonly query: Query;
  /** The statement whose only column is the line of a row. */
  readonly say: (part: AnswerPart) => Sql;
  readonly folder: string;
  readonly partRows: number;
  readonly partBytes: number;
  /** How far the engine writes ahead of the reader. */
  readonly aheadBytes: number;
  readonly space: SpoolSpace;
  readonly memoryTurns: MemoryTurns;
  /** Whose share of the space it takes, and whether anybody still reads it. */
  readonly ticket: Ticket;
}

/**
 * Writes an answer of any length into files, so that the engine holds neither a place among the running statements nor
 * memory while a slow client reads it. The engine's own streams would hold both, and after an error they end as if they
 * were complete; here the engine says how many rows it wrote. A long answer is made part by part. Each part is so small
 * that sorting it takes little memory, and the engine stays close ahead of the reader.
 */
class AnswerSpool {
  readonly #spooling: Spooling;
  readonly #queue = new PartQueue();
  readonly #stop = new AbortController();
  /** Stops what is written: because nobody reads it any more, or because there is no room for it. */
  readonly signal: AbortSignal;
  #reservation: Hold | undefined;
  #isWritten = false;
  /** Whether there is a part already, which somebody may have read. */
  hasBegun = false;

  constructor(spooling: Spooling) {
    const { signal } = spooling.ticket;
    this.#spooling = spooling;
    this.signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  get parts(): PartQueue {
    return this.#queue;
  }

  stop(): void {
    this.#stop.abort(new Error('nobody reads the answer any more'));
  }

  /** Once all of it is written, what was read is given back. */
  partTaken(): void {
    if (this.#isWritten) this.#reservation?.shrinkTo(this.#queue.unread);
  }

  /** The room is free for others once the files are gone. */
  async release(): Promise<void> {
    await rm(this.#spooling.folder, { recursive: true, force: true });
    this.#reservation?.release();
  }

  /** Can be tried again as long as it has not begun. */
  async write(task: Task): Promise<void> {
    this.#reservation?.release();
    const { context, query, partRows, aheadBytes, space, ticket } = this.#spooling;
    // Several parts have to fit into what one key may take, also those that turn out longer than expected.
    const partBytes = Math.min(this.#spooling.partBytes, Math.ceil(space.keyBytes / 16));
    const limits = { rows: partRows, bytes: partBytes };
    const size = await new AnswerParts((statement) => task.values(statement), context, query, limits).measure();
    // Rows of very long texts are read by one statement at a time across all callers: the engine reads 2,048 of them at
    // once.
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => (size.longestRow > longRow ? space.inTurn(work) : work());
    const parts = new AnswerParts((statement) => inTurn(() => task.values(statement)), context, query, limits);
    const expected = Math.ceil(size.bytes * expectedTimes) + expectedMore;
    const reservation = await space.reserve(
      { ...ticket, signal: this.signal },
      Math.min(expected, aheadBytes, space.keyBytes / 2),
    );
    this.#reservation = reservation;
    const late = setTimeout(() => this.#stop.abort(tooSlowlyRead()), writingMinutesMost * 60_000);
    try {
      let [written, i, times] = [0, 0, expectedTimes];
      for await (const { part, bytes } of parts.of(size)) {
        await this.#queue.roomFor(Math.ceil(bytes * times), reservation.amount, this.signal);
        const made = await inTurn(() => this.#writePart(task, part, `${i}.ndjson`, reservation));
        written += made.rows;
        i += 1;
        // Escapes can make texts several times as long: the parts to come are likely to be like those before.
        times = Math.max(times, (made.bytes / Math.max(1, bytes)) * 1.2);
      }
      if (written !== size.rows) throw new Error(`an answer of ${size.rows} rows was written with ${written}`);
      this.#isWritten = true;
      this.partTaken();
    } finally {
      clearTimeout(late);
    }
  }

  async #writePart(task: Task, part: AnswerPart, name: string, reservation: Hold): Promise<SpooledPart> {
    this.signal.throwIfAborted();
    const path = join(this.#spooling.folder, name);
    const { sql, values } = statementFor(this.#spooling.say(part));
    const stopWatching = this.#watch(path, reservation);
    try {
      const rows = await task.changed({ sql: `COPY (${sql}) TO ${text(path)} (${linesOfText})`, values });
      stopWatching();
      const { size: bytes } = await stat(path);
      this.#keepWithin(bytes, reservation);
      this.signal.throwIfAborted();
      const made = { path, rows, bytes };
      this.hasBegun = true;
      this.#queue.put(made);
      return made;
    } catch (error) {
      // Nothing but this answer is harmed: the engine has only read its tables.
      throw error instanceof EngineError && isFullDisk(error) ? noRoom(error) : error;
    } finally {
      stopWatching();
    }
  }

  /** A part may turn out longer than it was expected to be. */
  #watch(path: string, reservation: Hold): () => void {
    let isWriting = true;
    const look = async () => {
      const [{ size }, isShort] = await Promise.all([stat(path), this.#spooling.space.isShort()]);
      // A part that is complete is counted among those that wait to be read.
      if (!isWriting) return;
      this.#keepWithin(size, reservation);
      if (isShort) this.#stop.abort(noRoom());
    };
    // Before the engine has made the file there is nothing to look at.
    const timer = setInterval(() => void look().catch(() => {}), watchEveryMs);
    return () => {
      isWriting = false;
      clearInterval(timer);
    };
  }

  #keepWithin(bytes: number, reservation: Hold): void {
    const more = this.#queue.unread + bytes - reservation.amount;
    if (more > 0 && !reservation.tryGrow(more)) this.#stop.abort(noShare());
  }
}

/** One JSON text a line. Inside JSON every control character is escaped, so that nothing ever needs to be quoted. */
const linesOfText = "FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '', NULLSTR ''";

const tooSlowlyRead = (): Refusal =>
  new Refusal('too-slow', `An answer has to be read within ${writingMinutesMost} minutes. Ask for less at once.`);

/** Does some work inside a transaction, until it is told to stop. */
export type InTransaction = (work: (task: Task) => Promise<void>, signal: AbortSignal) => Promise<void>;

/**
 * The parts of an answer, each as soon as it is written: while one part is read, the engine writes the next. A reader
 * that stops also stops the engine, and returns once the engine has stopped.
 */
export async function* spooledParts(visit: InTransaction, spooling: Spooling): AsyncGenerator<SpooledPart> {
  const spool = new AnswerSpool(spooling);
  const { parts } = spool;
  const write = () => visit((task) => spool.write(task), spool.signal);
  const spooled = spooling.memoryTurns
    .attempt(write, () => !spool.hasBegun)
    .then(
      () => parts.end(),
      (error) => parts.fail(error),
    );
  try {
    for await (const part of parts.read()) {
      spool.partTaken();
      yield part;
    }
  } finally {
    spool.stop();
    await spooled;
    await spool.release();
  }
}

/** The rows of an answer that was spooled as lists of cells, batch by batch. */
export async function* readRows(parts: AsyncIterable<SpooledPart>): AsyncGenerator<AnswerRow[]> {
  for await (const lines of readLines(parts)) {
    const rows = JSON.parse(`[${lines.toString().trimEnd().replaceAll('\n', ',')}]`) as AnswerRow[];
    for (let i = 0; i < rows.length; i += batchRows) yield rows.slice(i, i + batchRows);
  }
}

/** The rows of an answer that was spooled as JSON objects, one a line. Pieces end anywhere, since a row can be very long. */
export async function* readObjects(parts: AsyncIterable<SpooledPart>): AsyncGenerator<Buffer> {
  for await (const { path, rows } of parts) {
    const escapes = new EscapeWriter();
    let read = 0;
    for await (const piece of piecesOf(path)) {
      read += linesIn(piece);
      yield escapes.write(piece);
    }
    checkRows(read, rows);
    await rm(path);
  }
}

/** The lines of an answer, some whole ones at a time. What was read is gone. */
async function* readLines(parts: AsyncIterable<SpooledPart>): AsyncGenerator<Buffer> {
  for await (const { path, rows } of parts) {
    let read = 0;
    for await (const lines of wholeLines(path)) {
      read += linesIn(lines);
      yield lines;
    }
    checkRows(read, rows);
    await rm(path);
  }
}

function checkRows(read: number, rows: number): void {
  if (read !== rows) throw new Error(`a part of ${rows} rows ended after ${read}`);
}

const piecesOf = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: pieceBytes });

/** Only a line that stands in several pieces is copied: the rest is passed on as it was read. */
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of piecesOf(path)) {
    const last = piece.lastIndexOf(newline) + 1;
    if (last === 0) {
      rest.push(piece);
      continue;
    }
    const begins = rest.length > 0 ? piece.indexOf(newline) + 1 : 0;
    if (begins > 0) yield Buffer.concat([...rest, piece.subarray(0, begins)]);
    if (last > begins) yield piece.subarray(begins, last);
    rest = last < piece.length ? [piece.subarray(last)] : [];
  }
  if (rest.length > 0) throw new Error('an answer ended within a row');
}

const newline = 0x0a;

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, end + 1)) count += 1;
  return count;
}
