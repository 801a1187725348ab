import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
  readonly maxBytes: number;
  /** To be called before this many bytes are written. */
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
