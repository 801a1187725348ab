import type { FieldType } from '../catalogue/record.ts';
import type { AnswerRow, Cell } from '../query/plan.ts';
import { cellReader, cellWriter } from '../query/shape/cell.ts';
import { cellIn, type FlatColumn } from '../query/shape/rows.ts';
import { csvAnswerText, csvCell, csvLine, csvText, csvTextParts } from './csv-cell.ts';
import { longText } from './long-rows.ts';

/** The first line: the names of columns. */
export const csvHeader = (columns: readonly { readonly name: string }[]): string =>
  csvLine(columns.map(({ name }) => csvCell(name)));

/** Writes rows as lines of RFC 4180. A missing value is an empty cell, an empty text a pair of quotes. */
export function csvWriter(columns: readonly FlatColumn[]): (row: AnswerRow) => string {
  const parts = columns.map((column) => ({ column, write: cellText(column.type) }));
  return (row) => csvLine(parts.map(({ column, write }) => write(cellIn(column, row))));
}

/** A row with long texts as a line, in parts. */
export function longCsvLine(columns: readonly FlatColumn[]): (row: AnswerRow) => Generator<string> {
  const parts = columns.map((column) => ({ column, write: cellText(column.type) }));
  return function* (row) {
    for (const [i, { column, write }] of parts.entries()) {
      if (i > 0) yield ',';
      const cell = cellIn(column, row);
      if (column.type === 'text' && typeof cell === 'string' && cell.length > longText) yield* csvTextParts(cell);
      else yield write(cell);
    }
    yield '\r\n';
  };
}

function cellText(type: FieldType): (cell: Cell) => string {
  switch (type) {
    case 'text[]':
    case 'json': {
      const write = cellWriter(type);
      return (cell) => (cell === null ? '' : csvCell(write(cell)));
    }
    case 'text':
      return (cell) => (cell === null ? '' : csvAnswerText(String(cell)));
    case 'number':
    case 'integer':
      return (cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? '' : String(cell ?? ''));
    default: {
      const read = cellReader(type);
      return (cell) => String(read(cell) ?? '');
    }
  }
}

/** A column of an exported table. */
export interface RecordColumn {
  readonly name: string;
  readonly type: FieldType;
}

/** A row that was read from NDJSON as a line of CSV. A missing value is an empty cell; lists and JSON are JSON text. */
export function recordLine(columns: readonly RecordColumn[], row: Readonly<Record<string, unknown>>): string {
  return csvLine(
    columns.map(({ name, type }) => {
      const value = row[name];
      if (value === null || value === undefined) return '';
      if (type === 'text[]' || type === 'json') return csvCell(JSON.stringify(value));
      if (typeof value !== 'string') return String(value);
      return type === 'text' ? csvText(value) : csvCell(value);
    }),
  );
}
