import type { FieldType } from '../catalogue/record.ts';
import { csvCell, csvLine, csvText } from './csv-cell.ts';

interface Column {
  readonly name: string;
  readonly type: FieldType;
}

/** The first line: the names of columns. */
export const recordsHeader = (columns: readonly Column[]): string => csvLine(columns.map(({ name }) => csvCell(name)));

/** A row that was read from NDJSON as a line of CSV. A missing value is an empty cell; lists and JSON are JSON text. */
export function recordLine(columns: readonly Column[], row: Readonly<Record<string, unknown>>): string {
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
