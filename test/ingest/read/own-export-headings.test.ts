import { expect, test } from 'vitest';
import { recordShapeFor, recordTableNames } from '../../../src/catalogue/record-tables.ts';
import { exportColumns } from '../../../src/ingest/export/export-columns.ts';
import { ColumnMapping } from '../../../src/ingest/read/foreign/column-mapping.ts';
import { ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';

test.each(recordTableNames)(
  'An export of all columns of %s can be imported: each field comes from its own column',
  (table) => {
    const headings = exportColumns(table, false).map(({ name }) => name);
    const fields = new ColumnMapping(table, {}, headings).fieldsOf('x.csv');
    const given = headings.flatMap((heading, place) =>
      fields[place] === '' ? [] : [[heading, fields[place]] as const],
    );
    expect(new Set(given.map(([, field]) => field)).size).toBe(given.length);
    const own = Object.keys(recordShapeFor(table).fields).filter((field) => headings.includes(field));
    expect(Object.fromEntries(given)).toMatchObject(Object.fromEntries(own.map((field) => [field, field])));
  },
);

test.each(recordTableNames)('A record of an export of all columns of %s has no field twice', (table) => {
  const names = exportColumns(table, false).map(({ name }) => name);
  const given = Object.fromEntries(names.map((name) => [name, name]));
  const reading = new ForeignReader(table, { leavesOutUnknown: true }).read(given);
  const record = 'value' in reading ? (reading.value as Readonly<Record<string, unknown>>) : {};
  const { fields, ignoredFields = {}, aliases = {} } = recordShapeFor(table);
  const known = { ...fields, ...ignoredFields, ...aliases };
  expect(Object.keys(record).filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  const own = Object.keys(fields).filter((field) => names.includes(field));
  expect(own.filter((field) => record[field] !== field)).toEqual([]);
});

test('A name that follows from a field is that field where the record lacks it, or where it was chosen', () => {
  const read = (value: object, map: Readonly<Record<string, string>> = {}) =>
    new ForeignReader('deployments', { map }).read(value);
  expect(read({ repository_name: 'acme/web' })).toMatchObject({ value: { repository: 'acme/web' } });
  const both = { repository: 'acme/web', repository_name: 'acme/api' };
  expect(read(both)).toMatchObject({ value: { repository: 'acme/web' } });
  expect(read(both, { repository_name: 'repository' })).toMatchObject({ value: both });
});
