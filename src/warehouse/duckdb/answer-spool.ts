import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { AnswerRow, Cell, Query } from '../../query/plan.ts';
import { compareCells } from '../../query/shape/order.ts';
import type { Ground } from '../sql/ground.ts';
import { type Part, sayCount, sayFirstColumn } from '../sql/query-sql.ts';
import type { Sql } from '../sql/sql.ts';
import { statementFor } from './asking.ts';
import { plainEscapes } from './json-object.ts';
import type { Task } from './task.ts';

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Rows in one batch. */
const batchRows = 1_000;
/** How many values of each part are looked at to know where it ends: enough for parts of about the same size. */
const sampledOfPart = 200;
const pieceBytes = 256 * 1_024;

/** Some rows of an answer on disk, one row a line. */
export interface SpooledPart {
  readonly path: string;
  readonly rows: number;
}

export interface Spooling {
  readonly ground: Ground;
  readonly query: Query;
  /** The statement whose only column is the line of a row. */
  readonly say: (part: Part | undefined) => Sql;
  readonly folder: string;
  readonly partRows: number;
}

/**
 * Writes an answer of any length into files, as fast as the engine can: it then holds no snapshot, no place among the
 * running statements and no memory while somebody far away reads it slowly. The engine's own streams would, and after an
 * error they end as if they had come to their end; here the engine says how many rows it wrote. A long answer is made
 * part by part, each so small that sorting it takes little memory.
 */
async function spoolAnswer(
  task: Task,
  { ground, query, say, folder, partRows }: Spooling,
  take: (part: SpooledPart) => void,
): Promise<void> {
  const [counted] = await task.values<[number]>(statementFor(sayCount(ground, query)));
  const parts = await partsOf(task, ground, query, Math.ceil((counted?.[0] ?? 0) / partRows));
  let written = 0;
  for (const [i, part] of parts.entries()) {
    const path = join(folder, `${i}.ndjson`);
    const { sql, values } = statementFor(say(part));
    const rows = await task.changed({ sql: `COPY (${sql}) TO ${text(path)} (${linesOfText})`, values });
    written += rows;
    take({ path, rows });
  }
  if (written !== counted?.[0]) throw new Error(`an answer of ${counted?.[0]} rows was written with ${written}`);
}

/** One JSON text a line. Inside JSON every control character is escaped, so that nothing ever needs to be quoted. */
const linesOfText = "FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '', NULLSTR ''";

async function partsOf(task: Task, ground: Ground, query: Query, wanted: number): Promise<(Part | undefined)[]> {
  if (wanted < 2 || query.order.length === 0) return [undefined];
  const { sql, values } = statementFor(sayFirstColumn(ground, query));
  const sample = `SELECT s.cell FROM (${sql}) AS s USING SAMPLE reservoir(${wanted * sampledOfPart} ROWS)`;
  const cells = (await task.values<[Cell]>({ sql: sample, values })).flatMap(([cell]) => cell ?? []);
  cells.sort((a, b) => compareCells(a, b));
  const bounds = Array.from({ length: wanted - 1 }, (_, i) => cells[Math.floor(((i + 1) * cells.length) / wanted)]);
  const distinct = bounds.filter(
    (bound, i) => bound !== undefined && typeof bound !== 'boolean' && bound !== bounds[i - 1],
  );
  if (distinct.length === 0) return [undefined];
  return [...distinct, undefined].map((until, i) => ({ after: distinct[i - 1], until }));
}

/** Does some work inside a transaction, until it is told to stop. */
export type Visit = (work: (task: Task) => Promise<void>, signal: AbortSignal) => Promise<void>;

/**
 * The parts of an answer, each as soon as it is written: while one is read, the engine is at the next. Whoever stops
 * reading stops the engine, and comes back when it has.
 */
export async function* spooledParts(
  visit: Visit,
  spooling: Spooling,
  signal: AbortSignal | undefined,
): AsyncGenerator<SpooledPart> {
  const left = new AbortController();
  const parts = new PassThrough({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
  const spooled = visit(
    (task) => spoolAnswer(task, spooling, (part) => parts.write(part)),
    signal ? AbortSignal.any([signal, left.signal]) : left.signal,
  ).then(
    () => void parts.end(),
    (error) => void parts.destroy(error),
  );
  try {
    yield* parts;
  } finally {
    left.abort();
    await spooled;
  }
}

/** The rows of an answer that was spooled as lists of cells, batch by batch. */
export async function* readRows(parts: AsyncIterable<SpooledPart>): AsyncGenerator<AnswerRow[]> {
  for await (const lines of readLines(parts)) {
    const rows = JSON.parse(`[${lines.toString().trimEnd().replaceAll('\n', ',')}]`) as AnswerRow[];
    for (let i = 0; i < rows.length; i += batchRows) yield rows.slice(i, i + batchRows);
  }
}

/** The rows of an answer that was spooled as JSON objects, one a line. */
export async function* readObjects(parts: AsyncIterable<SpooledPart>): AsyncGenerator<Buffer> {
  for await (const lines of readLines(parts)) yield plainEscapes(lines);
}

/** The lines of an answer, some whole ones at a time. What was read is gone. */
async function* readLines(parts: AsyncIterable<SpooledPart>): AsyncGenerator<Buffer> {
  for await (const { path, rows } of parts) {
    let read = 0;
    for await (const lines of wholeLines(path)) {
      read += linesIn(lines);
      yield lines;
    }
    if (read !== rows) throw new Error(`a part of ${rows} rows ended after ${read}`);
    await rm(path);
  }
}

/** Only a line that stands in two pieces is copied: the rest is passed on as it was read. */
async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    const [first, last] = [piece.indexOf(newline) + 1, piece.lastIndexOf(newline) + 1];
    const begins = rest.length > 0 ? first : 0;
    if (begins > 0) yield Buffer.concat([rest, piece.subarray(0, begins)]);
    if (last > begins) yield piece.subarray(begins, last);
    rest = last > 0 ? piece.subarray(last) : Buffer.concat([rest, piece]);
  }
  if (rest.length > 0) throw new Error('an answer ended within a row');
}

const newline = 0x0a;

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, end + 1)) count += 1;
  return count;
}
