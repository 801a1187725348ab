import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FieldType } from '../catalogue/record.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { FlatColumn } from '../query/shape/rows.ts';
import { Refusal } from '../refusal.ts';
import { parquetFiles } from './parquet/open.ts';
import { textPieces } from './text.ts';

/** Where the file is made, and what it takes of the disk. */
export interface ParquetScratch {
  readonly folder: string;
  /** What may be taken at most. */
  readonly bytesMost: number;
  /** To be called before this many bytes are written. */
  readonly take: (bytes: number) => Promise<void>;
  readonly giveBack: (bytes: number) => void;
  /** Does one thing after another: making a file takes much memory. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Rows as a Parquet file, piece by piece, with typed columns: times and days are such, durations are seconds, lists and
 * JSON are JSON text. What a file holds is known only at its end, so it is made in a folder, beside the rows it is made
 * of, and both are gone when its last piece was taken or nobody takes more.
 */
export async function* parquetPieces(
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
    const counted = new CountedBatches(batches);
    const space = new TakenSpace(scratch);
    const text = Readable.from(space.taken(textPieces('ndjson', typed, counted.batches())));
    await pipeline(text, createWriteStream(rows, { mode: 0o600 }));
    // With the rare exception a file is shorter than the rows that it holds.
    const rowsBytes = space.bytes;
    await scratch.take(rowsBytes);
    const written = await scratch.inTurn(() => parquetFiles.write(typed, rows, file));
    if (written !== counted.count) throw new Error(`${written} of ${counted.count} rows were written as Parquet`);
    await rm(rows);
    scratch.giveBack(2 * rowsBytes - Math.min((await stat(file)).size, rowsBytes));
    yield* createReadStream(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Space is taken some megabytes at a time. */
const takenAtOnce = 4 * 1_024 ** 2;

/** Takes space for text before it is written. */
class TakenSpace {
  readonly #scratch: ParquetScratch;
  bytes = 0;

  constructor(scratch: ParquetScratch) {
    this.#scratch = scratch;
  }

  async *taken(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
    let used = 0;
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      used += bytes.length;
      if (used > this.bytes) await this.#take(Math.max(takenAtOnce, used - this.bytes));
      yield bytes;
    }
    this.#scratch.giveBack(this.bytes - used);
    this.bytes = used;
  }

  /** The file comes beside the rows, so each may take half. */
  async #take(bytes: number): Promise<void> {
    if (this.bytes + bytes > this.#scratch.bytesMost / 2) {
      throw new Refusal(
        'bad-input',
        'This answer is too large to be made a Parquet file. Ask for less, or for CSV or NDJSON with the header Accept.',
      );
    }
    await this.#scratch.take(bytes);
    this.bytes += bytes;
  }
}

/** Sources may give fractions of a second, which a whole number would lose. */
const storedAs = (type: FieldType): FieldType => (type === 'duration' ? 'number' : type);

/** Counts rows as they pass. */
class CountedBatches {
  readonly #batches: AsyncIterable<readonly AnswerRow[]>;
  count = 0;

  constructor(batches: AsyncIterable<readonly AnswerRow[]>) {
    this.#batches = batches;
  }

  async *batches(): AsyncGenerator<readonly AnswerRow[]> {
    for await (const rows of this.#batches) {
      this.count += rows.length;
      yield rows;
    }
  }
}
