import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldType } from '../../src/catalogue/record.ts';
import { type Row, storedColumns, type Table, type Value } from '../../src/catalogue/table.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { timeoutMs, times } from '../setup/how-long.ts';
import {
  byKey,
  everyRow,
  rowOf,
  type SomeWarehouse,
  someLimits,
  someOrganisationId,
  someWarehouse,
  tiny,
} from './some-warehouse.ts';
import { patchRows, putRows, removeRows } from './table-writes.ts';

const lastSecond = 253_402_300_799;

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

const anyRows = (table: Table) =>
  fc.uniqueArray(anyRow(table), {
    minLength: 1,
    maxLength: 8,
    selector: (row) => JSON.stringify(table.key.map((column) => row[column])),
  });

describe('what is put into a warehouse comes out of it', () => {
  const places: SomeWarehouse[] = [];
  const id = someOrganisationId();
  beforeAll(async () => {
    places.push(await someWarehouse(), await someWarehouse(someLimits, tiny));
  });
  afterAll(async () => {
    for (const place of places) await place.close();
  });

  test.each(storedTables.map((table) => [table.name, table] as const))(
    'unchanged, whatever it is: %s',
    async (_, table) => {
      await fc.assert(
        fc.asyncProperty(anyRows(table), async (rows) => {
          for (const { warehouse } of places) {
            await warehouse.change(id, (session) => putRows(session, table, rows as never));
            const columns = [...storedColumns(table).keys()];
            const found = await warehouse.read(id, async (session) => {
              const [first] = table.key;
              const where = { column: first ?? '', in: rows.map((row) => row[first ?? ''] ?? null) };
              return {
                all: await everyRow(session, table),
                byKey: byKey(table, (await session.select(table, columns as never, where)) as never),
              };
            });
            expect(found.all).toEqual(byKey(table, rows));
            expect(found.byKey).toEqual(found.all);
            await warehouse.change(id, (session) => removeRows(session, table, { all: [] }));
          }
        }),
        { numRuns: times(3) },
      );
    },
    timeoutMs(60_000),
  );

  test('numbers are exact to the last bit, and times reach from 1970 to the end of 9999', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const numbers = [0.1, 1e-7, 5e-324, 123456789.123, 1e21, 1 / 3, Number.MAX_VALUE, -1.5, 0];
    const rows = numbers.map((complexity_score, i) =>
      rowOf(pullRequests, {
        pr_id: `p${i}`,
        complexity_score,
        additions: i % 2 === 0 ? Number.MAX_SAFE_INTEGER : -Number.MAX_SAFE_INTEGER,
        pr_created_at: i % 2 === 0 ? 0 : lastSecond,
      }),
    );
    await warehouse.change(id, (session) => putRows(session, pullRequests, rows));
    expect(await warehouse.read(id, (session) => everyRow(session, pullRequests))).toEqual(rows);
  });

  test('a key of five hundred characters names one row', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const long = '🦆'.repeat(250);
    const row = (pr_id: string, pr_number: number) => rowOf(pullRequests, { pr_id, pr_number });
    await warehouse.change(id, (session) => putRows(session, pullRequests, [row(long, 1), row(`${long}x`, 2)]));
    await warehouse.change(id, (session) => putRows(session, pullRequests, [row(long, 3)]));
    const found = await warehouse.read(id, (session) =>
      session.select(pullRequests, ['pr_number'], { column: 'pr_id', in: [long] }),
    );
    expect(found).toEqual([{ pr_number: 3 }]);
  });

  test('of several rows with one key in one go the last one counts', async () => {
    const { warehouse } = places[0] as SomeWarehouse;
    const id = someOrganisationId();
    const rows = [1, 2, 3].map((pr_number) => rowOf(pullRequests, { pr_id: 'same', pr_number }));
    await warehouse.change(id, (session) => putRows(session, pullRequests, rows));
    const read = () => warehouse.read(id, (session) => session.select(pullRequests, ['pr_number']));
    expect(await read()).toEqual([{ pr_number: 3 }]);
    const patches = [5, 4].map((pr_number) => ({ pr_id: 'same', pr_number }));
    await warehouse.change(id, (session) => patchRows(session, pullRequests, ['pr_number'], patches));
    expect(await read()).toEqual([{ pr_number: 4 }]);
  });
});
