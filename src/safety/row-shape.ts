import type { StoreTable } from '../store/tables.ts';
import type { PlainRow } from './table-pages.ts';

type ColumnType = StoreTable['columns'][string]['type'];

const fits: { readonly [T in ColumnType]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  bigint: (value) => Number.isSafeInteger(value),
  'double precision': (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  timestamptz: (value) => typeof value === 'string' && /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(value),
  date: (value) => typeof value === 'string' && /^\d{4,}-\d\d-\d\d$/.test(value),
};

/** The columns of a row that do not hold what the table says. */
export function misfitsOf(table: StoreTable, row: PlainRow): string[] {
  return Object.entries(table.columns)
    .filter(([name, { type, nullable }]) => !((nullable && row[name] === null) || fits[type](row[name])))
    .map(([name]) => name);
}
