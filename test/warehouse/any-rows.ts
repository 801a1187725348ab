import fc from 'fast-check';
import type { FieldType } from '../../src/catalogue/record.ts';
import { type Row, storedColumns, type Table, type Value } from '../../src/catalogue/table.ts';

export const lastSecond = 253_402_300_799;

/** Any text that a record may bring: NUL and halves of surrogate pairs are refused before they come here. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !value.includes('\0')),
  fc.constantFrom(
    '',
    ' ',
    '"',
    "'",
    '\\',
    '\n\r\t',
    'null',
    '[1]',
    '👩‍👩‍👧',
    '\u{10ffff}',
    '\u2028',
    '\ufeff',
    'é',
    'e\u0301',
  ),
  fc.string({ minLength: 500, maxLength: 500 }).filter((value) => !value.includes('\0')),
);
const values: Readonly<Record<FieldType, fc.Arbitrary<Value>>> = {
  text,
  integer: fc.maxSafeInteger(),
  // A negative zero arrives as zero: JSON knows no other.
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  boolean: fc.boolean(),
  timestamp: fc.oneof(fc.integer({ min: 0, max: lastSecond }), fc.constantFrom(0, lastSecond)),
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  duration: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  'text[]': fc.array(text, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  json: fc.json({ maxDepth: 2 }).filter((value) => !value.includes('\\u0000')),
};

const anyRow = (table: Table): fc.Arbitrary<Row> =>
  fc.record(
    Object.fromEntries(
      [...storedColumns(table)].map(([column, type]) => [
        column,
        table.key.includes(column) ? values[type] : fc.option(values[type], { freq: 4 }),
      ]),
    ),
  );

/** Some rows of a table with values of every kind, under keys of their own. */
export const anyRows = (table: Table) =>
  fc.uniqueArray(anyRow(table), {
    minLength: 1,
    maxLength: 8,
    selector: (row) => JSON.stringify(table.key.map((column) => row[column])),
  });
