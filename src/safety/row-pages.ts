import type { StoreTable } from '../store/all-store-tables.ts';
import type { Reading, StoreValue } from '../store/store.ts';

/** A row as both engines print it alike: times and dates as text with every digit that is stored, numbers as numbers. */
export type PlainRow = Readonly<Record<string, unknown>>;

const pageRows = 5_000;

/** The column that says whose a row is. */
export const ownerColumn = ({ columns }: StoreTable): string =>
  'organisation_id' in columns ? 'organisation_id' : 'id';

/**
 * Every row of a table in the order of its key, a page at a time, so that no table has to fit into memory. Only those of
 * one organisation where one is named.
 */
export async function* pagesOf(
  session: Reading,
  table: StoreTable,
  organisationId?: string,
): AsyncGenerator<readonly PlainRow[]> {
  const columns = Object.entries(table.columns).map(([name, { type }]) => printed(name, type));
  const key = table.key.map((name) => `t.${name}`).join(', ');
  const owner = organisationId === undefined ? [] : [organisationId];
  const bounds = table.key.map((name, i) => `$${owner.length + i + 1}::${table.columns[name]?.type}`).join(', ');
  const select = (...conditions: readonly string[]) => {
    const all = [...owner.map(() => `t.${ownerColumn(table)} = $1`), ...conditions];
    const where = all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
    return `SELECT ${columns.join(', ')} FROM ${table.name} t ${where} ORDER BY ${key} LIMIT ${pageRows}`;
  };

  let page = await session.rows<PlainRow>(select(), owner);
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (page.length < pageRows || last === undefined) return;
    const after = table.key.map((name) => last[name] as StoreValue);
    page = await session.rows<PlainRow>(select(`(${key}) > (${bounds})`), [...owner, ...after]);
  }
}

function printed(name: string, type: string): string {
  if (type === 'timestamptz') return `replace((t.${name} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z' AS ${name}`;
  if (type === 'date') return `t.${name}::text AS ${name}`;
  return `t.${name}`;
}

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
