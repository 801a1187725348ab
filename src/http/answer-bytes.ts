import { type AnswerFormat, formatFor } from '../formats/accept.ts';
import { collected } from '../formats/collected.ts';
import { jsonPieces } from '../formats/json-pieces.ts';
import type { ParquetScratch } from '../formats/parquet.ts';
import { answerPieces } from '../formats/pieces.ts';
import { rowsPieces } from '../formats/text.ts';
import type { Answer, StreamedAnswer } from '../query/answer.ts';
import type { AnswerRow } from '../query/plan.ts';
import { AwaitedWork } from './awaited-work.ts';

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

/** Undefined where they are too many. */
type Bytes = Buffer | Promise<Buffer | undefined>;

/** Answers as bytes up to here; what is longer is written as it is sent. A document repeats its texts for each metric. */
const bytesMost = 32 * 1_024 ** 2;

/**
 * Answers as bytes. An answer that is kept is the same object every time it is given, so it is written once for each
 * format, and what was written goes when the answer does. Whoever asks while it is written waits for the same bytes.
 */
export class AnswerBytes {
  readonly #scratches: Scratches;
  readonly #made = new WeakMap<Answer, Map<AnswerFormat, Buffer | AwaitedWork<Bytes>>>();
  #parquet: Promise<unknown> = Promise.resolve();

  constructor(scratches: Scratches) {
    this.#scratches = scratches;
  }

  /** Undefined where the answer is too long to be held as bytes: it is then written as it is sent. */
  of(answer: Answer, format: AnswerFormat, owner: FileOwner): Bytes {
    let made = this.#made.get(answer);
    if (!made) {
      made = new Map();
      this.#made.set(answer, made);
    }
    const known = made.get(format);
    if (known instanceof AwaitedWork && !known.signal.aborted) {
      known.join(owner.signal);
      return known.result;
    }
    if (known instanceof Buffer) return known;
    const work = new AwaitedWork(owner.signal, (signal) => this.#write(answer, format, { ...owner, signal }));
    const { result } = work;
    if (!(result instanceof Promise)) {
      made.set(format, result);
      return result;
    }
    made.set(format, work);
    const settle = (done: Buffer | undefined): void => {
      // Others may have begun anew after everyone had left.
      if (made.get(format) !== work) return;
      if (done) made.set(format, done);
      else made.delete(format);
    };
    result.then(settle, () => settle(undefined));
    return result;
  }

  /** An answer that is here, piece by piece, in any format but Parquet. */
  *textPieces(answer: Answer, format: AnswerFormat): Generator<string> {
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

  #write(answer: Answer, format: AnswerFormat, owner: FileOwner): Bytes {
    if (answer.form === 'rows' && format === 'parquet') return this.#parquetOf(answer, owner);
    return collected(this.textPieces(answer, format), bytesMost);
  }

  async #parquetOf({ columns, rows }: Answer & { readonly form: 'rows' }, owner: FileOwner): Promise<Buffer> {
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
