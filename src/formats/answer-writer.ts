import type { MetricAnswer, StreamedAnswer } from '../query/answer.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { AnswerFormat } from './answer-formats.ts';
import { collected } from './collected.ts';
import { jsonPieces } from './json-pieces.ts';
import { type ParquetScratch, parquetPieces } from './parquet.ts';
import { rowsPieces, textPieces } from './text.ts';

/** Where files are made that are gone when their last byte was sent. What a killed process leaves is removed at the start. */
export interface Scratches {
  makeScratch(
    organisationId: string,
    options: { readonly keyId: string; readonly signal: AbortSignal },
  ): Promise<ParquetScratch & { remove(): Promise<void> }>;
}

/** Who a file is made for. */
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

  /** All of an answer. Undefined where it is too long to be held as bytes. */
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
