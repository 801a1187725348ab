import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { AnswerRow, Cell, Query } from '../../query/plan.ts';
import { compareCells } from '../../query/shape/order.ts';
import type { Ground } from '../sql/ground.ts';
import { type Part, sayAnswer, sayCount, sayFirstColumn } from '../sql/query-sql.ts';
import { statementFor } from './asking.ts';
import type { Task } from './task.ts';

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Rows in one batch. */
const batchRows = 1_000;
/** Enough to know how values lie. */
const sampleRows = 20_000;

/** An answer on disk, one row a line, in one file after another. */
export interface Spool {
  readonly paths: readonly string[];
  readonly rows: number;
}

/**
 * Writes an answer of any length into files, as fast as the engine can: it then holds no snapshot, no place among the
 * running statements and no memory while somebody far away reads it slowly. The engine's own streams would, and after an
 * error they end as if they had come to their end; here the engine says how many rows it wrote. A long answer is made
 * part by part, each so small that sorting it takes little memory.
 */
export async function spoolAnswer(
  task: Task,
  ground: Ground,
  query: Query,
  { folder, partRows }: { readonly folder: string; readonly partRows: number },
): Promise<Spool> {
  const [counted] = await task.values<[number]>(statementFor(sayCount(ground, query)));
  const parts = await partsOf(task, ground, query, Math.ceil((counted?.[0] ?? 0) / partRows));
  const paths: string[] = [];
  let rows = 0;
  for (const part of parts) {
    const path = join(folder, `${paths.length}.ndjson`);
    paths.push(path);
    const { sql, values } = statementFor(sayAnswer(ground, query, part));
    rows += await task.changed({ sql: `COPY (${sql}) TO ${text(path)} (${linesOfText})`, values });
  }
  if (rows !== counted?.[0]) throw new Error(`an answer of ${counted?.[0]} rows was written with ${rows}`);
  return { paths, rows };
}

/** One JSON text a line. Inside JSON every control character is escaped, so that nothing ever needs to be quoted. */
const linesOfText = "FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '', NULLSTR ''";

async function partsOf(task: Task, ground: Ground, query: Query, wanted: number): Promise<(Part | undefined)[]> {
  if (wanted < 2 || query.order.length === 0) return [undefined];
  const { sql, values } = statementFor(sayFirstColumn(ground, query));
  const sample = `SELECT s.cell FROM (${sql}) AS s USING SAMPLE reservoir(${sampleRows} ROWS)`;
  const cells = (await task.values<[Cell]>({ sql: sample, values })).flatMap(([cell]) => cell ?? []);
  cells.sort((a, b) => compareCells(a, b));
  const bounds = Array.from({ length: wanted - 1 }, (_, i) => cells[Math.floor(((i + 1) * cells.length) / wanted)]);
  const distinct = bounds.filter(
    (bound, i) => bound !== undefined && typeof bound !== 'boolean' && bound !== bounds[i - 1],
  );
  if (distinct.length === 0) return [undefined];
  return [...distinct, undefined].map((until, i) => ({ after: distinct[i - 1], until }));
}

/** The rows of a spooled answer, batch by batch. */
export async function* readSpool({ paths, rows }: Spool): AsyncGenerator<AnswerRow[]> {
  let read = 0;
  for (const path of paths) {
    for await (const batch of readLines(path)) {
      read += batch.length;
      yield batch;
    }
  }
  if (read !== rows) throw new Error(`an answer of ${rows} rows ended after ${read}`);
}

async function* readLines(path: string): AsyncGenerator<AnswerRow[]> {
  let batch: AnswerRow[] = [];
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1_024 })) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      batch.push(JSON.parse(line) as AnswerRow);
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
  if (rest !== '') throw new Error('an answer ended within a row');
}
