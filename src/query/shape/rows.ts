import type { FieldType, Json } from '../../catalogue/record.ts';
import type { AnswerRow, Cell } from '../plan.ts';
import type { AnswerColumn } from '../request.ts';
import { cellReader } from './cell.ts';

/** One column of a flat row: a cell of the engine's row, or a value that is the same in every row. */
export type FlatColumn =
  | { readonly name: string; readonly type: FieldType; readonly at: number; readonly ofNothing: 0 | null }
  | { readonly name: string; readonly type: 'boolean'; readonly always: true };

/** One row of a flat answer, its keys in the documented order. */
type FlatRow = Readonly<Record<string, Json>>;

/** The columns of a flat answer, in the order in which every format writes them. */
export function flatColumns(columns: readonly AnswerColumn[]): FlatColumn[] {
  const flat = columns.map((column, at): FlatColumn => {
    const { name } = column;
    if (column.role === 'n') return { name, type: column.type, at, ofNothing: 0 };
    if (column.role !== 'value') return { name, type: column.type, at, ofNothing: null };
    return { name, type: valueType(column), at, ofNothing: column.value.ofNothing };
  });
  const isBucketed = columns.some(({ role }) => role === 'bucket');
  const all: FlatColumn[] = isBucketed
    ? flat
    : [{ name: 'date_level_not_set', type: 'boolean', always: true }, ...flat];
  // The rounds of reviews are a column of pull requests and a metric of the same name: an object has room for one only.
  return all.filter(({ name }, i) => !all.some((other, j) => j > i && other.name === name));
}

function valueType({ type, metric }: AnswerColumn & { readonly role: 'value' }): FieldType {
  return metric.kind === 'count' ? 'integer' : type;
}

/** The cell of a column in a row, before it is formatted. */
export const cellIn = (column: FlatColumn, row: AnswerRow): Cell =>
  'always' in column ? column.always : (row[column.at] ?? column.ofNothing);

/** Makes objects of rows. */
export function rowReader(columns: readonly FlatColumn[]): (row: AnswerRow) => FlatRow {
  const parts = columns.map((column) => ({ name: column.name, column, read: cellReader(column.type) }));
  return (row) => {
    const shown: Record<string, Json> = {};
    for (const { name, column, read } of parts) shown[name] = read(cellIn(column, row));
    return shown;
  };
}
