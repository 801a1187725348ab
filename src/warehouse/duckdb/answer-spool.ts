import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { AnswerRow } from '../../query/plan.ts';
import type { Statement } from './statement.ts';
import type { Task } from './task.ts';

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Rows in one batch. */
const batchRows = 1_000;

/** An answer on disk, one row a line. */
export interface Spool {
  readonly path: string;
  readonly rows: number;
}

/**
 * Writes an answer of any length into a file, as fast as the engine can: it then holds no snapshot, no place among the
 * running statements and no memory while somebody far away reads it slowly. The engine's own streams would, and after an
 * error they end as if they had come to their end; here the engine says how many rows it wrote.
 */
export async function spoolAnswer(task: Task, { sql, values }: Statement, folder: string): Promise<Spool> {
  const path = join(folder, 'answer.ndjson');
  // Inside JSON every control character is escaped, so that these two never occur and nothing is ever quoted.
  const options = `FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '\u0002', ESCAPE '\u0002', NULLSTR ''`;
  const rows = await task.changed({ sql: `COPY (${sql}) TO ${text(path)} (${options})`, values });
  return { path, rows };
}

/** The rows of a spooled answer, batch by batch. */
export async function* readSpool({ path, rows }: Spool): AsyncGenerator<AnswerRow[]> {
  let batch: AnswerRow[] = [];
  let read = 0;
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1_024 })) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      batch.push(JSON.parse(line) as AnswerRow);
      if (batch.length < batchRows) continue;
      read += batch.length;
      yield batch;
      batch = [];
    }
  }
  read += batch.length;
  if (batch.length > 0) yield batch;
  if (read !== rows || rest !== '') throw new Error(`an answer of ${rows} rows ended after ${read}`);
}
