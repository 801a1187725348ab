import type { MetricAnswer, StreamedAnswer } from '../query/answer.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { AnswerFormat } from './answer-formats.ts';
import { collected } from './collected.ts';
import { jsonPieces } from './json-pieces.ts';
import type { ParquetScratch } from './parquet.ts';
import { answerPieces } from './pieces.ts';
import { rowsPieces } from './text.ts';

/** Where files are made that are gone when their last byte was sent. What a killed process leaves is removed at the start. */
export interface Scratches {
  makeScratch(
    organisationId: string,
    options: { readonly keyId: string; readonly signal: AbortSignal },
  ): Promise<Omit<ParquetScratch, 'inTurn'> & { remove(): Promise<void> }>;
}

/** Who a file is made for. */
export interface FileOwner {
  readonly organisationId: string;
  readonly keyId: string;
  readonly signal: AbortSignal;
}

/** Answers are held as bytes up to here; longer ones are written as they are sent. A document repeats its texts for each metric. */
const bytesMost = 32 * 1_024 ** 2;

/** Writes answers in the format that a caller asks for. */
export class AnswerWriter {
  readonly #scratches: Scratches;
  #parquet: Promise<unknown> = Promise.resolve();

  constructor(scratches: Scratches) {
    this.#scratches = scratches;
  }

  /** All of an answer. Undefined where it is too long to be held as bytes. */
  bytes(answer: MetricAnswer, format: AnswerFormat, owner: FileOwner): Buffer | Promise<Buffer | undefined> {
    if (answer.form === 'rows' && format === 'parquet') return this.#parquetOf(answer, owner);
    return collected(this.textPieces(answer, format), bytesMost);
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
    if (format !== 'parquet') {
      yield* answerPieces(format, answer, undefined);
      return;
    }
    const scratch = await this.#scratches.makeScratch(organisationId, { keyId, signal });
    try {
      yield* answerPieces(format, answer, { ...scratch, inTurn: (work) => this.#inTurn(work) });
    } finally {
      await scratch.remove();
    }
  }

  async #parquetOf({ columns, rows }: MetricAnswer & { readonly form: 'rows' }, owner: FileOwner): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces('parquet', { columns, batches: atOnce(rows) }, owner)) {
      pieces.push(Buffer.from(piece));
    }
    return Buffer.concat(pieces);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#parquet.then(work);
    this.#parquet = turn.catch(() => {});
    return turn;
  }
}

async function* atOnce(rows: readonly AnswerRow[]): AsyncGenerator<readonly AnswerRow[]> {
  yield rows;
}
