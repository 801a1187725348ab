import type { Json } from '../../catalogue/record.ts';
import { parquetFiles } from '../../formats/parquet/open.ts';
import { type ReadColumn, type ReadRows, UnreadableParquet } from '../../formats/parquet/parquet-files.ts';
import { BrokenInput } from './byte-source.ts';
import { type FileLine, jsonLine, lineBytesMost, tooLong } from './file-line.ts';

const unreadable = 'it is damaged, encrypted or written in a way this version does not know';

/** The rows of a Parquet file, numbered from 1. `readShare` is called with how far it is, from 0 to 1. */
export async function* parquetLines(path: string, readShare: (share: number) => void): AsyncGenerator<FileLine> {
  let row = 0;
  for await (const { columns, rows, count, rowsTotal } of rowsOf(path)) {
    readShare((row + count) / rowsTotal);
    for (const values of rows) {
      row++;
      yield await fileLine(row, columns, values);
    }
  }
  readShare(1);
}

async function* rowsOf(path: string): AsyncGenerator<ReadRows> {
  try {
    yield* parquetFiles.read(path);
  } catch (error) {
    throw error instanceof UnreadableParquet ? new BrokenInput(unreadable) : error;
  }
}

async function fileLine(row: number, columns: readonly ReadColumn[], values: readonly Json[]): Promise<FileLine> {
  const record: [string, unknown][] = [];
  for (const [at, { name, isJson }] of columns.entries()) {
    const value = values[at] ?? null;
    if (!isJson || typeof value !== 'string') {
      record.push([name, value]);
      continue;
    }
    const parsed = await jsonLine(row, value);
    if ('problem' in parsed) return { line: row, problem: `${name} ${parsed.problem}`, raw: value };
    record.push([name, parsed.value]);
  }
  const length = values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
  if (length > lineBytesMost) return { line: row, problem: tooLong, raw: '' };
  return { line: row, value: Object.fromEntries(record) };
}

/** Roughly, as it would be in JSON. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}
