import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FieldType } from '../catalogue/record.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { FlatColumn } from '../query/shape/rows.ts';
import { writeParquet } from './parquet-file.ts';
import { textPieces } from './text.ts';

/**
 * Rows as a Parquet file, piece by piece, with typed columns: times and days are such, durations are seconds, lists and
 * JSON are JSON text. What a file holds is known only at its end, so it is made in a folder, beside the rows it is made
 * of, and both are gone when its last piece was taken or nobody takes more.
 */
export async function* parquetPieces(
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
  { folder }: { readonly folder: string },
): AsyncGenerator<Buffer> {
  const scratch = await mkdtemp(join(folder, 'answer-'));
  try {
    const [rows, file] = [join(scratch, 'rows.ndjson'), join(scratch, 'rows.parquet')];
    const typed = columns.map(
      (column): FlatColumn => ('at' in column ? { ...column, type: keptAs(column.type) } : column),
    );
    const counted = new Counted(batches);
    const text = Readable.from(textPieces('ndjson', typed, counted.batches()));
    await pipeline(text, createWriteStream(rows, { mode: 0o600 }));
    const written = await writeParquet(typed, rows, file);
    if (written !== counted.count) throw new Error(`${written} of ${counted.count} rows were written as Parquet`);
    await rm(rows);
    yield* createReadStream(file);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Sources may give fractions of a second, which a whole number would lose. */
const keptAs = (type: FieldType): FieldType => (type === 'duration' ? 'number' : type);

/** Counts rows as they pass. */
class Counted {
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
