import type { FieldType } from '../catalogue/record.ts';
import type { AnswerRow, Cell } from '../query/plan.ts';
import { cellReader, cellWriter } from '../query/shape/cell.ts';
import { cellIn, type FlatColumn } from '../query/shape/rows.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

/** The first line: the names of columns. */
export const csvHeader = (columns: readonly FlatColumn[]): string => csvLine(columns.map(({ name }) => csvCell(name)));

/** Writes rows as lines of RFC 4180. A missing value is an empty cell, an empty text a pair of quotes. */
export function csvWriter(columns: readonly FlatColumn[]): (row: AnswerRow) => string {
  const parts = columns.map((column) => ({ column, write: cellText(column.type) }));
  return (row) => csvLine(parts.map(({ column, write }) => write(cellIn(column, row))));
}

function cellText(type: FieldType): (cell: Cell) => string {
  switch (type) {
    case 'text[]':
    case 'json': {
      const write = cellWriter(type);
      return (cell) => (cell === null ? '' : csvCell(write(cell)));
    }
    case 'text':
      return (cell) => (cell === null ? '' : cell === '' ? '""' : csvText(String(cell)));
    case 'number':
    case 'integer':
      return (cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? '' : String(cell ?? ''));
    default: {
      const read = cellReader(type);
      return (cell) => String(read(cell) ?? '');
    }
  }
}
