import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { RecordForm } from '../../catalogue/read-value.ts';
import type { Json } from '../../catalogue/record.ts';
import { parquetFiles } from '../../formats/parquet/open.ts';
import { type ReadColumn, type ReadRows, UnreadableParquet } from '../../formats/parquet/parquet-files.ts';
import { Refusal } from '../../refusal.ts';
import { isTurnLong, nextTurn } from '../../yield-to-event-loop.ts';
import { BrokenInput, errorCode, fileBytes, type Meter, metered, unpacked, utf8Bytes } from './byte-source.ts';
import { csvHeader, csvLines } from './csv.ts';
import { jsonDocumentLines, objectLines } from './json-document.ts';
import { type FileLine, jsonLine, maxLineBytes, ndjsonLines, tooLong } from './text-lines.ts';

export type { FileLine } from './text-lines.ts';

/** A file of records, read line by line. */
export interface RecordFile {
  /** Whether values come typed, or as the text of cells. */
  readonly form: RecordForm;
  /** Unknown for a pipe. */
  readonly bytesTotal: number | undefined;
  bytesRead(): number;
  /** The names of its columns, where it names them once for all rows and can be read twice. */
  header?(): Promise<readonly string[]>;
  /** Bad lines come as problems. A file that cannot be read on throws a Refusal, after the lines before the damage. */
  lines(): AsyncIterable<FileLine>;
}

/** The path that means standard input. */
export const standardInput = '-';

type RecordFileFormat = 'ndjson' | 'json' | 'csv' | 'parquet';

const formats: Readonly<Record<string, RecordFileFormat>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.csv': 'csv',
  '.parquet': 'parquet',
};

const accepted =
  'Accepted: .ndjson, .jsonl, .json and .csv, each also with .gz, .parquet, and - for NDJSON on standard input';

interface RecordFileOptions {
  readonly stdin?: Readable;
  /** As sentences call the file, where its path means nothing to the reader. */
  readonly name?: string;
}

export function openRecordFile(
  path: string,
  { stdin = process.stdin, name = path }: RecordFileOptions = {},
): RecordFile {
  if (path === standardInput) return standardInputFile(stdin);
  const stats = statsOf(path);
  const { format, gzip } = formatOf(path);
  const meter: Meter = { bytesRead: 0 };
  const bytesTotal = stats.isFile() ? stats.size : undefined;
  return {
    form: format === 'csv' ? 'text' : 'json',
    bytesTotal,
    bytesRead: () => meter.bytesRead,
    ...(format === 'csv' && stats.isFile()
      ? { header: () => csvHeader(utf8Bytes(unpacked(fileBytes(path, { bytesRead: 0 }), gzip), path), path) }
      : {}),
    lines() {
      meter.bytesRead = 0;
      return refusingDamage(
        name,
        format === 'parquet'
          ? parquetLines(path, (share) => {
              meter.bytesRead = Math.round(share * (bytesTotal ?? 0));
            })
          : textFormatLines(format, utf8Bytes(unpacked(fileBytes(path, meter), gzip), path), path),
      );
    },
  };
}

/** Records in bytes that lie somewhere else, and can be read as often as they are asked for. */
export const openRecordBytes = (
  name: string,
  format: Exclude<RecordFileFormat, 'parquet'>,
  bytes: () => AsyncGenerator<Buffer>,
): RecordFile => ({
  form: format === 'csv' ? 'text' : 'json',
  bytesTotal: undefined,
  bytesRead: () => 0,
  ...(format === 'csv' ? { header: () => csvHeader(bytes(), name) } : {}),
  lines: () => refusingDamage(name, textFormatLines(format, bytes(), name)),
});

function standardInputFile(stdin: Readable): RecordFile {
  const meter: Meter = { bytesRead: 0 };
  const name = 'Standard input';
  return {
    form: 'json',
    bytesTotal: undefined,
    bytesRead: () => meter.bytesRead,
    lines: () => refusingDamage(name, objectLines(utf8Bytes(unpacked(metered(stdin, meter), false), name))),
  };
}

function textFormatLines(
  format: Exclude<RecordFileFormat, 'parquet'>,
  bytes: AsyncGenerator<Buffer>,
  name: string,
): AsyncIterable<FileLine> {
  switch (format) {
    case 'ndjson':
      return ndjsonLines(bytes);
    case 'json':
      return jsonDocumentLines(bytes);
    case 'csv':
      return csvLines(bytes, name);
  }
}

async function* refusingDamage(name: string, lines: AsyncIterable<FileLine>): AsyncGenerator<FileLine> {
  let last = 0;
  try {
    for await (const line of lines) {
      last = line.line;
      yield line;
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    const where = last === 0 ? 'cannot be read' : `broke off after line ${last}`;
    throw new Refusal('bad-input', `${name} ${where}: ${error.message}`);
  }
}

function statsOf(path: string): Stats {
  let stats: Stats;
  try {
    stats = statSync(path);
    accessSync(path, constants.R_OK);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new Refusal('not-found', `There is no file ${path}. ${accepted}`);
    }
    const why = code === 'EACCES' || code === 'EPERM' ? 'this user may not read it' : code;
    throw new Refusal('bad-input', `${path} cannot be read: ${why}. ${accepted}`);
  }
  if (stats.isDirectory()) throw new Refusal('bad-input', `${path} is a folder. Name the files in it. ${accepted}`);
  return stats;
}

function formatOf(path: string): { readonly format: RecordFileFormat; readonly gzip: boolean } {
  const [, extension = '', gzip] = /(\.[^.]*?)(\.gz)?$/i.exec(basename(path)) ?? [];
  const format = Object.hasOwn(formats, extension.toLowerCase()) ? formats[extension.toLowerCase()] : undefined;
  if (!format) throw new Refusal('bad-input', `${path} has no extension that tells its format. ${accepted}`);
  if (format === 'parquet' && gzip) {
    throw new Refusal('bad-input', `${path} is Parquet inside gzip. Unpack it: Parquet is compressed by itself`);
  }
  return { format, gzip: gzip !== undefined };
}

const unreadable = 'it is damaged, encrypted or written in a way this version does not know';

/** The rows of a Parquet file, numbered from 1. `readShare` is called with how far it is, from 0 to 1. */
async function* parquetLines(path: string, readShare: (share: number) => void): AsyncGenerator<FileLine> {
  let row = 0;
  for await (const { columns, rows, count, rowsTotal } of rowsOf(path)) {
    readShare((row + count) / rowsTotal);
    for (const values of rows) {
      row++;
      yield await fileLine(row, columns, values);
      // The engine hands over many rows at once, and a small file may hold long ones.
      if (isTurnLong()) await nextTurn();
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
  const length = values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
  if (length > maxLineBytes) return { line: row, problem: tooLong, raw: '', length };
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
  return { line: row, value: Object.fromEntries(record) };
}

/** Roughly, as it would be in JSON. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}
