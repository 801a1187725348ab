import type { Reading, StoreValue } from '../store/store.ts';
import type { StoreTable } from '../store/tables.ts';

/** A row as both engines print it alike: times and dates as text with every digit that is stored, numbers as numbers. */
export type PlainRow = Readonly<Record<string, unknown>>;

const pageRows = 5_000;

/** Every row of a table in the order of its key, a page at a time, so that no table has to fit into memory. */
export async function* pagesOf(session: Reading, table: StoreTable): AsyncGenerator<readonly PlainRow[]> {
  const columns = Object.entries(table.columns).map(([name, { type }]) => printed(name, type));
  const key = table.key.map((name) => `t.${name}`).join(', ');
  const bounds = table.key.map((name, i) => `$${i + 1}::${table.columns[name]?.type}`).join(', ');
  const select = (where: string) =>
    `SELECT ${columns.join(', ')} FROM ${table.name} t ${where} ORDER BY ${key} LIMIT ${pageRows}`;

  let page = await session.rows<PlainRow>(select(''));
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (page.length < pageRows || last === undefined) return;
    const after = table.key.map((name) => last[name] as StoreValue);
    page = await session.rows<PlainRow>(select(`WHERE (${key}) > (${bounds})`), after);
  }
}

function printed(name: string, type: string): string {
  if (type === 'timestamptz') return `replace((t.${name} AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z' AS ${name}`;
  if (type === 'date') return `t.${name}::text AS ${name}`;
  return `t.${name}`;
}
