import type { AnswerRow } from '../query/plan.ts';
import { type FlatColumn, rowWriter } from '../query/shape/rows.ts';
import type { AnswerFormat } from './accept.ts';
import { csvHeader, csvWriter } from './csv.ts';

export type TextFormat = Exclude<AnswerFormat, 'parquet'>;

/** How rows become text: what stands before, between and after them. */
interface Manner {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly row: (row: AnswerRow) => string;
}

function mannerOf(format: TextFormat, columns: readonly FlatColumn[]): Manner {
  switch (format) {
    case 'json':
      return { before: '[', between: ',', after: ']', row: rowWriter(columns) };
    case 'ndjson': {
      const write = rowWriter(columns);
      return { before: '', between: '', after: '', row: (row) => `${write(row)}\n` };
    }
    case 'csv':
      return { before: csvHeader(columns), between: '', after: '', row: csvWriter(columns) };
  }
}

/** A few rows can hold many megabytes; what waits to be sent does not. */
const pieceMost = 64 * 1024;

/** Rows as text, piece by piece. Nothing is kept but the piece under way. The pieces together are `rowsText`. */
export async function* textPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  batches: AsyncIterable<readonly AnswerRow[]>,
): AsyncGenerator<string> {
  const { before, between, after, row: write } = mannerOf(format, columns);
  let [text, separator] = [before, ''];
  for await (const rows of batches) {
    for (const row of rows) {
      text += separator + write(row);
      separator = between;
      if (text.length < pieceMost) continue;
      yield text;
      text = '';
    }
  }
  text += after;
  if (text !== '') yield text;
}

/** The same for rows that are here already. */
export function* rowsPieces(
  format: TextFormat,
  columns: readonly FlatColumn[],
  rows: readonly AnswerRow[],
): Generator<string> {
  const { before, between, after, row: write } = mannerOf(format, columns);
  let [text, separator] = [before, ''];
  for (const row of rows) {
    text += separator + write(row);
    separator = between;
    if (text.length < pieceMost) continue;
    yield text;
    text = '';
  }
  text += after;
  if (text !== '') yield text;
}

/** All rows at once. */
export const rowsText = (format: TextFormat, columns: readonly FlatColumn[], rows: readonly AnswerRow[]): string =>
  [...rowsPieces(format, columns, rows)].join('');
