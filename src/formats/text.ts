import type { AnswerRow } from '../query/plan.ts';
import { type FlatColumn, rowWriter } from '../query/shape/rows.ts';
import { yieldIfDue } from '../yield-to-event-loop.ts';
import type { TextFormat } from './answer-formats.ts';
import { csvHeader, csvWriter, longCsvLine } from './csv.ts';
import { isLongRow, longObject } from './long-rows.ts';

/** How rows become text: what comes before, between and after them. */
interface RowStyle {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly row: (row: AnswerRow) => string;
  /** The same for a row with long texts, in parts. */
  readonly longRow: (row: AnswerRow) => Iterable<string>;
}

/** How each format writes rows of some columns. */
const writers: { readonly [F in TextFormat]: (columns: readonly FlatColumn[]) => RowStyle } = {
  json: (columns) => ({
    before: '[',
    between: ',',
    after: ']',
    row: rowWriter(columns),
    longRow: longObject(columns),
  }),
  ndjson: (columns) => {
    const [write, parts] = [rowWriter(columns), longObject(columns)];
    const longRow = function* (row: AnswerRow) {
      yield* parts(row);
      yield '\n';
    };
    return { before: '', between: '', after: '', row: (row) => `${write(row)}\n`, longRow };
  },
  csv: (columns) => ({
    before: csvHeader(columns),
    between: '',
    after: '',
    row: csvWriter(columns),
    longRow: longCsvLine(columns),
  }),
};

/** A few rows can hold many megabytes; what waits to be sent does not. */
const pieceMost = 64 * 1024;

/** Puts the text of rows together until it is long enough to be passed on. */
class RowText {
  readonly #style: RowStyle;
  #text: string;
  #separator = '';

  constructor(style: RowStyle) {
    this.#style = style;
    this.#text = style.before;
  }

  *write(row: AnswerRow): Generator<string> {
    const { between, longRow } = this.#style;
    this.#text += this.#separator;
    this.#separator = between;
    for (const part of longRow(row)) {
      this.#text += part;
      if (this.#text.length >= pieceMost) yield this.#taken();
    }
  }

  /** A short row at once. The piece that it completes, if it does. */
  add(row: AnswerRow): string | undefined {
    const { between, row: write } = this.#style;
    this.#text += this.#separator + write(row);
    this.#separator = between;
    return this.#text.length < pieceMost ? undefined : this.#taken();
  }

  end(): string {
    this.#text += this.#style.after;
    return this.#taken();
  }

  #taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Rows as text, piece by piece. Nothing is kept but the piece under way. The pieces together are `rowsText`. */
export async function* textPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
): AsyncGenerator<string> {
  const text = new RowText(writers[format](columns));
  for await (const rows of batches) {
    for (const row of rows) {
      if (isLongRow(row)) {
        for (const piece of text.write(row)) {
          yield piece;
          await yieldIfDue();
        }
        continue;
      }
      const piece = text.add(row);
      if (piece === undefined) continue;
      yield piece;
      await yieldIfDue();
    }
  }
  const last = text.end();
  if (last !== '') yield last;
}

/** The same for rows that are here already. */
export function* rowsPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  rows: readonly AnswerRow[],
): Generator<string> {
  const text = new RowText(writers[format](columns));
  for (const row of rows) {
    if (isLongRow(row)) {
      yield* text.write(row);
      continue;
    }
    const piece = text.add(row);
    if (piece !== undefined) yield piece;
  }
  const last = text.end();
  if (last !== '') yield last;
}

/** All rows at once. */
export const rowsText = (format: TextFormat, columns: readonly FlatColumn[], rows: readonly AnswerRow[]): string =>
  [...rowsPieces(format, columns, rows)].join('');
