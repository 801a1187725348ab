import { isoText } from '../calendar.ts';
import type { FieldType } from '../catalogue/record.ts';
import type { Row, Value } from '../catalogue/table.ts';
import type { RecordColumn } from './csv.ts';

/** A column of an exported table, and the column of the row that holds its value. */
type HeldColumn = RecordColumn & { readonly kept: string };

/** Writes stored rows as lines of NDJSON: times in ISO 8601 with Z, durations in seconds, lists and JSON as they are. */
export function recordWriter(columns: readonly HeldColumn[]): (row: Row) => string {
  const parts = columns.map(({ name, type, kept }, i) => ({
    before: `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    type,
    kept,
  }));
  return (row) => {
    let text = '';
    for (const { before, type, kept } of parts) text += before + valueText(type, row[kept] ?? null);
    return `${text}}\n`;
  };
}

function valueText(type: FieldType, value: Value): string {
  if (value === null) return 'null';
  switch (type) {
    case 'timestamp':
      return `"${isoText(Number(value))}"`;
    case 'text[]':
    case 'json':
      return String(value);
    default:
      return JSON.stringify(value);
  }
}
