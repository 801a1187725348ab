import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FieldType } from '../catalogue/record.ts';
import type { FlatColumn } from '../query/answer-columns.ts';
import type { MetricAnswer, StreamedAnswer } from '../query/collect-answer.ts';
import type { AnswerRow } from '../query/plan.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerFormat } from './answer-formats.ts';
import { parquetFiles } from './parquet/open.ts';
import { rowsPieces, textPieces } from './text.ts';
import { collected, jsonPieces } from './text-pieces.ts';

/** Where files are made that are gone when their last byte was sent. What a killed process leaves is removed at the start. */
export interface Scratches {
  makeScratch(
    organisationId: string,
    options: { readonly keyId: string; readonly signal: AbortSignal },
  ): Promise<ParquetScratch & { remove(): Promise<void> }>;
}

/** The caller for whom a file is made. */
export interface FileOwner {
  readonly organisationId: string;
  readonly keyId: string;
  readonly signal: AbortSignal;
}

/** Answers are held as bytes up to here; longer ones are written as they are sent. A document repeats its texts for each metric. */
const maxBytes = 32 * 1_024 ** 2;

/** Writes answers in the format that a caller asks for. */
export class AnswerWriter {
  readonly #scratches: Scratches;

  constructor(scratches: Scratches) {
    this.#scratches = scratches;
  }

  /** The whole answer. Undefined where it is too long to be held in memory. */
  bytes(answer: MetricAnswer, format: AnswerFormat, owner: FileOwner): Buffer | Promise<Buffer | undefined> {
    if (answer.form === 'rows' && format === 'parquet') return this.#parquetOf(answer, owner);
    return collected(this.textPieces(answer, format), maxBytes);
  }

  /** An answer that is here, piece by piece, in any format but Parquet. */
  *textPieces(answer: MetricAnswer, format: AnswerFormat): Generator<string> {
    if (answer.form === 'document') yield* jsonPieces(answer.document);
    else if (format !== 'parquet') yield* rowsPieces(format, answer.columns, answer.rows);
  }

  /** Rows that are not kept, piece by piece. */
  async *pieces(
    format: AnswerFormat,
    answer: Omit<StreamedAnswer, 'form'>,
    { organisationId, keyId, signal }: FileOwner,
  ): AsyncGenerator<string | Buffer> {
    const isFile = format === 'parquet';
    const scratch = isFile ? await this.#scratches.makeScratch(organisationId, { keyId, signal }) : undefined;
    try {
      yield* answerPieces(format, answer, scratch);
    } finally {
      await scratch?.remove();
    }
  }

  async #parquetOf({ columns, rows }: MetricAnswer & { readonly form: 'rows' }, owner: FileOwner): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces('parquet', { columns, batches: atOnce(rows) }, owner)) {
      pieces.push(Buffer.from(piece));
    }
    return Buffer.concat(pieces);
  }
}

async function* atOnce(rows: readonly AnswerRow[]): AsyncGenerator<readonly AnswerRow[]> {
  yield rows;
}

/** A flat answer in any format, piece by piece. Only Parquet cannot be written from beginning to end. */
export async function* answerPieces(
  format: AnswerFormat,
  { columns, batches, lines }: Omit<StreamedAnswer, 'form'>,
  scratch: ParquetScratch | undefined,
): AsyncGenerator<string | Buffer> {
  if (format === 'parquet') {
    if (!scratch) throw new Error('a Parquet file needs a folder to be made in');
    yield* parquetPieces(columns, batches, scratch);
  } else if (!lines || format === 'csv') yield* textPieces(format, columns, batches);
  else yield* format === 'ndjson' ? lines : listed(lines);
}

const newline = 0x0a;
const comma = 0x2c;

/** JSON objects that come one a line, as a list: it has commas where lines end, but for the last. No object holds a newline. */
async function* listed(lines: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  let last: Buffer | undefined;
  for await (const piece of lines) {
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, end + 1)) piece[end] = comma;
    yield last ?? '[';
    last = piece;
  }
  if (last) yield last.subarray(0, -1);
  yield last ? ']' : '[]';
}

/** The folder of the file, and its share of the disk. */
export interface ParquetScratch {
  readonly folder: string;
  /** The largest number of bytes. */
  readonly maxBytes: number;
  /** Called before this many bytes are written. */
  readonly take: (bytes: number) => Promise<void>;
  readonly giveBack: (bytes: number) => void;
  /** Does one thing after another: making a file takes much memory. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Space is taken some megabytes at a time. */
const takenAtOnce = 4 * 1_024 ** 2;

/**
 * Rows as a Parquet file, piece by piece, with typed columns: times and days are such, durations are seconds, lists and
 * JSON are JSON text. What a file holds is known only at its end, so it is made in a folder, beside the rows it is made
 * of, and both are gone when its last piece was taken or nobody takes more.
 */
async function* parquetPieces(
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
  scratch: ParquetScratch,
): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(join(scratch.folder, 'answer-'));
  try {
    const [rows, file] = [join(folder, 'rows.ndjson'), join(folder, 'rows.parquet')];
    const typed = columns.map(
      (column): FlatColumn => ('at' in column ? { ...column, type: storedAs(column.type) } : column),
    );
    let [count, bytes, taken] = [0, 0, 0];
    async function* counted() {
      for await (const some of batches) {
        count += some.length;
        yield some;
      }
    }
    /** The file comes beside the rows, so each may take half. */
    async function* withinSpace() {
      for await (const text of textPieces('ndjson', typed, counted())) {
        const piece = Buffer.from(text);
        bytes += piece.length;
        if (bytes > taken) {
          const more = Math.max(takenAtOnce, bytes - taken);
          if (taken + more > scratch.maxBytes / 2) throw tooLarge();
          await scratch.take(more);
          taken += more;
        }
        yield piece;
      }
    }
    await pipeline(withinSpace, createWriteStream(rows, { mode: 0o600 }));
    scratch.giveBack(taken - bytes);
    // With the rare exception a file is shorter than the rows that it holds.
    await scratch.take(bytes);
    const written = await scratch.inTurn(() => parquetFiles.write(typed, rows, file));
    if (written !== count) throw new Error(`${written} of ${count} rows were written as Parquet`);
    await rm(rows);
    scratch.giveBack(2 * bytes - Math.min((await stat(file)).size, bytes));
    yield* createReadStream(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const tooLarge = (): Refusal =>
  new Refusal(
    'bad-input',
    'This answer is too large to be made a Parquet file. Ask for less, or for CSV or NDJSON with the header Accept.',
  );

/** Sources may give fractions of a second, which a whole number would lose. */
const storedAs = (type: FieldType): FieldType => (type === 'duration' ? 'number' : type);
