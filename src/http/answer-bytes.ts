import { rm } from 'node:fs/promises';
import { type AnswerFormat, formatFor } from '../formats/accept.ts';
import { answerPieces } from '../formats/pieces.ts';
import { rowsText } from '../formats/text.ts';
import type { Answer, StreamedAnswer } from '../query/answer.ts';
import type { AnswerRow } from '../query/plan.ts';
import type { FlatColumn } from '../query/shape/rows.ts';

/** Where files are made that are gone when their last byte was sent. What a killed process leaves is removed at the start. */
export interface Scratch {
  makeCopyFolder(): Promise<string>;
}

/**
 * Answers as bytes. An answer that is kept is the same object every time it is given, so it is written once for each
 * format, and what was written goes when the answer does.
 */
export class AnswerBytes {
  readonly #scratch: Scratch;
  readonly #made = new WeakMap<Answer, Map<AnswerFormat, Buffer | Promise<Buffer>>>();

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
  }

  of(answer: Answer, format: AnswerFormat): Buffer | Promise<Buffer> {
    let made = this.#made.get(answer);
    if (!made) {
      made = new Map();
      this.#made.set(answer, made);
    }
    const known = made.get(format);
    if (known) return known;
    const bytes = this.#write(answer, format);
    made.set(format, bytes);
    if (bytes instanceof Promise) bytes.catch(() => made.delete(format));
    return bytes;
  }

  /** Rows that are not kept, piece by piece. */
  async *pieces(format: AnswerFormat, answer: Omit<StreamedAnswer, 'form'>): AsyncGenerator<string | Buffer> {
    if (format !== 'parquet') {
      yield* answerPieces(format, answer, { folder: '' });
      return;
    }
    const folder = await this.#scratch.makeCopyFolder();
    try {
      yield* answerPieces(format, answer, { folder });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #write(answer: Answer, format: AnswerFormat): Buffer | Promise<Buffer> {
    if (answer.form === 'document') return Buffer.from(JSON.stringify(answer.document));
    const { columns, rows } = answer;
    return format === 'parquet' ? this.#parquet(columns, rows) : Buffer.from(rowsText(format, columns, rows));
  }

  async #parquet(columns: readonly FlatColumn[], rows: readonly AnswerRow[]): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces('parquet', { columns, batches: atOnce(rows) }))
      pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  }
}

async function* atOnce(rows: readonly AnswerRow[]): AsyncGenerator<readonly AnswerRow[]> {
  yield rows;
}

const headersMost = 100;
const headerLongest = 200;

/** Remembers what callers accept: most of them send the same header again and again. */
export class AcceptedFormats {
  readonly #known = new Map<string, AnswerFormat>();

  of(accept: string | undefined): AnswerFormat {
    if (accept === undefined) return 'json';
    const known = this.#known.get(accept);
    if (known) return known;
    const format = formatFor(accept);
    if (accept.length <= headerLongest && this.#known.size < headersMost) this.#known.set(accept, format);
    return format;
  }
}
