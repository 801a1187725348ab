import type { ExportColumn } from './export-columns.ts';

/** The first line of a CSV file. */
export const csvHeader = (columns: readonly ExportColumn[]): string => line(columns.map(({ name }) => cell(name)));

/** A row that was read from NDJSON as a line of CSV. A missing value is an empty cell; lists and JSON are JSON text. */
export function csvRow(columns: readonly ExportColumn[], row: Readonly<Record<string, unknown>>): string {
  return line(
    columns.map(({ name, type }) => {
      const value = row[name];
      if (value === null || value === undefined) return '';
      if (type === 'text[]' || type === 'json') return cell(JSON.stringify(value));
      return typeof value === 'string' ? cell(value) : String(value);
    }),
  );
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Space at either end is quoted too, since some programs cut it off. */
const cell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
