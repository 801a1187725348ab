import { type Row, storedNames, type Table } from '../../catalogue/table.ts';
import { isLong } from '../long-texts.ts';
import { textLength } from '../row-shapes.ts';

/** One statement takes this many rows at most, and texts of about this many characters. */
const rowsMost = 20_000;
const charactersMost = 64_000_000;

/** Of several rows with one key the last one counts. */
export function lastOfEach(table: Table, rows: readonly Row[]): Row[] {
  const [first, ...more] = table.key;
  const keyOf = (row: Row) =>
    first !== undefined && more.length === 0
      ? row[first]
      : JSON.stringify(table.key.map((column) => row[column] ?? null));
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  return last.size === rows.length ? [...rows] : [...last.values()];
}

/**
 * Rows in portions that fit into a statement: each column becomes one text, and a text has a longest length. Only long
 * texts are measured; the others cannot add up to it.
 */
export function* portionsOf(table: Table, rows: readonly Row[]): Generator<Row[]> {
  const lengthOf = textLength(storedNames(table).filter((column) => isLong(table, column)));
  let portion: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = lengthOf(row);
    if (portion.length > 0 && (portion.length >= rowsMost || characters + length > charactersMost)) {
      yield portion;
      portion = [];
      characters = 0;
    }
    portion.push(row);
    characters += length;
  }
  if (portion.length > 0) yield portion;
}
