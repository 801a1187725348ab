import { Refusal } from '../refusal.ts';
import { isUnstorable } from '../text-limits.ts';
import type { StoreRowOf, StoreTable } from './all-store-tables.ts';
import type { StoreValue, Writing } from './store.ts';

/** One statement for any number of rows: each column travels as one array, and the engine zips them again. */
function insertion(table: StoreTable): string {
  const names = Object.keys(table.columns);
  const unpacked = Object.values(table.columns).map(({ type }, i) => `unnest($${i + 1}::${type}[])`);
  return `INSERT INTO ${table.name} (${names.join(', ')}) SELECT ${unpacked.join(', ')}`;
}

function columnsOf(table: StoreTable, rows: readonly Readonly<Record<string, unknown>>[]): StoreValue[] {
  return Object.keys(table.columns).map((name) =>
    rows.map((row) => {
      const value = row[name] as Exclude<StoreValue, readonly unknown[]>;
      return value instanceof Date ? value.toISOString() : value;
    }),
  );
}

export async function insertRows<T extends StoreTable>(
  session: Writing,
  table: T,
  rows: readonly StoreRowOf<T>[],
): Promise<void> {
  if (rows.length > 0) await session.run(insertion(table), columnsOf(table, rows));
}

/** Inserts rows, and leaves those as they are that have the same key. Keys must differ within one call. */
export async function insertNewRows<T extends StoreTable>(
  session: Writing,
  table: T,
  rows: readonly StoreRowOf<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  await session.run(`${insertion(table)} ON CONFLICT (${table.key.join(', ')}) DO NOTHING`, columnsOf(table, rows));
}

/** Inserts rows, or replaces those that have the same key. Keys must differ within one call. */
export async function putRows<T extends StoreTable>(
  session: Writing,
  table: T,
  rows: readonly StoreRowOf<T>[],
): Promise<void> {
  if (rows.length === 0) return;
  const kept = Object.keys(table.columns).filter((name) => !table.key.includes(name));
  const onConflict =
    kept.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${kept.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  await session.run(`${insertion(table)} ON CONFLICT (${table.key.join(', ')}) ${onConflict}`, columnsOf(table, rows));
}

/** Every column of a table in a select list, dates as text so that no time zone can move them. */
export function selectList(table: StoreTable, alias: string): string {
  return Object.entries(table.columns)
    .map(([name, { type }]) => (type === 'date' ? `${alias}.${name}::text AS ${name}` : `${alias}.${name}`))
    .join(', ');
}

/**
 * Refuses a value that only one of the engines could keep, or that would come back as something else: PostgreSQL has no
 * text with a zero byte, and half a surrogate pair has no UTF-8.
 */
export function refuseUnstorable(value: StoreValue): void {
  if (Array.isArray(value) ? value.some(isUnstorableText) : isUnstorableText(value)) {
    throw new Refusal('bad-input', 'A text must not contain the NUL character or half a surrogate pair.');
  }
}

const isUnstorableText = (value: unknown): boolean => typeof value === 'string' && isUnstorable(value);
