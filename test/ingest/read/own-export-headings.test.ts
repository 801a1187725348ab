import { expect, test } from 'vitest';
import { recordShapeFor, recordTableNames } from '../../../src/catalogue/record-tables.ts';
import { exportColumns } from '../../../src/ingest/export/export-columns.ts';
import { ColumnMapping } from '../../../src/ingest/read/foreign/column-mapping.ts';

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
