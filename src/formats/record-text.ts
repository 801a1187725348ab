import { isoText } from '../calendar.ts';
import type { FieldType } from '../catalogue/record.ts';
import type { Row, Value } from '../catalogue/table.ts';
import { csvCell, csvHeader, csvLine, csvText } from './csv-cell.ts';

/** A column of an exported table. */
interface RecordColumn {
  readonly name: string;
  readonly type: FieldType;
}

/** The same, and the column of the row that holds its value. */
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
  if (type === 'timestamp') return `"${isoText(Number(value))}"`;
  return type === 'text[]' || type === 'json' ? String(value) : JSON.stringify(value);
}

const newline = 10;

/** The rows of an exported table, piece by piece. They come as NDJSON, in pieces that end anywhere. */
export async function* recordPieces(
  format: 'ndjson' | 'csv',
  columns: readonly RecordColumn[],
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer | string> {
  if (format === 'ndjson') {
    yield* rows;
    return;
  }
  yield csvHeader(columns);
  let rest: Buffer[] = [];
  for await (const piece of rows) {
    const end = piece.lastIndexOf(newline);
    if (end === -1) {
      rest.push(piece);
      continue;
    }
    const whole = Buffer.concat([...rest, piece.subarray(0, end)]).toString('utf8');
    rest = [piece.subarray(end + 1)];
    for (const line of whole.split('\n')) yield csvRecord(columns, JSON.parse(line));
  }
}

/** A row as a line of CSV. A missing value is an empty cell; lists and JSON are JSON text. */
function csvRecord(columns: readonly RecordColumn[], row: Readonly<Record<string, unknown>>): string {
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
