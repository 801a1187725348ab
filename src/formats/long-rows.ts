import type { AnswerRow } from '../query/plan.ts';
import { cellWriter } from '../query/shape/cell.ts';
import { cellIn, type FlatColumn } from '../query/shape/rows.ts';
import { slicesOf } from './text-slices.ts';

/** Longer texts are written slice by slice: all of one takes longer than anybody should have to wait. */
export const longText = 128 * 1_024;

export const isLongRow = (row: AnswerRow): boolean =>
  row.some((cell) => typeof cell === 'string' && cell.length > longText);

/** A row as a JSON object, in parts: the same text that `rowWriter` makes of it. */
export function longObject(columns: readonly FlatColumn[]): (row: AnswerRow) => Generator<string> {
  const parts = columns.map((column, i) => ({
    before: `${i === 0 ? '{' : ','}${JSON.stringify(column.name)}:`,
    column,
    write: cellWriter(column.type),
  }));
  return function* (row) {
    if (parts.length === 0) yield '{';
    for (const { before, column, write } of parts) {
      yield before;
      const cell = cellIn(column, row);
      if (column.type === 'text' && typeof cell === 'string') yield* jsonText(cell);
      else yield write(cell);
    }
    yield '}';
  };
}

/** A text as JSON, in parts. */
export function* jsonText(text: string): Generator<string> {
  if (text.length <= longText) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (const slice of slicesOf(text)) yield JSON.stringify(slice).slice(1, -1);
  yield '"';
}
