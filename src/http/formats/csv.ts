import type { FieldType } from '../../catalogue/record.ts';
import type { AnswerRow, Cell } from '../../query/plan.ts';
import { cellReader, cellWriter } from '../../query/shape/cell.ts';
import { cellIn, type FlatColumn } from '../../query/shape/rows.ts';

/** The first line: the names of columns. */
export const csvHeader = (columns: readonly FlatColumn[]): string => line(columns.map(({ name }) => quoted(name)));

/** Writes rows as lines of RFC 4180. A missing value is an empty cell, an empty text a pair of quotes. */
export function csvWriter(columns: readonly FlatColumn[]): (row: AnswerRow) => string {
  const parts = columns.map((column) => ({ column, write: cellText(column.type) }));
  return (row) => line(parts.map(({ column, write }) => write(cellIn(column, row))));
}

function cellText(type: FieldType): (cell: Cell) => string {
  switch (type) {
    case 'text[]':
    case 'json': {
      const write = cellWriter(type);
      return (cell) => (cell === null ? '' : quoted(write(cell)));
    }
    case 'text':
      return (cell) => (cell === null ? '' : cell === '' ? '""' : quoted(harmless(String(cell))));
    case 'number':
    case 'integer':
      return (cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? '' : String(cell ?? ''));
    default: {
      const read = cellReader(type);
      return (cell) => String(read(cell) ?? '');
    }
  }
}

/**
 * A spreadsheet takes a text that begins like this for a formula and runs it. Titles and names are written by anybody:
 * an apostrophe makes them text again.
 */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Space at either end is quoted too, since some programs cut it off. */
const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
