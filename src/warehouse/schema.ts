import { createHash } from 'node:crypto';
import { derivationStateTables } from '../catalogue/derivation-state.ts';
import { directoryCopyTables } from '../catalogue/directory-copies.ts';
import { storedColumns, type Table } from '../catalogue/table.ts';
import { factTables } from '../catalogue/tables/all-tables.ts';

/** Every table that a warehouse keeps: what happened, copies of the directory, and what ingest remembers. */
export const storedTables: readonly Table[] = [
  ...Object.values(factTables),
  ...directoryCopyTables,
  ...derivationStateTables,
];

/**
 * Raised when files written from now on mean something that an older Plumb would get wrong. New tables and columns need
 * no new number: they are added to a file when it is opened, and an older Plumb leaves them alone.
 */
export const schemaVersion = 1;

/**
 * Raised whenever something is derived in another way from the same records, or something more is: the server then
 * recomputes what a file holds. Until it has, what is new in it is empty.
 */
export const derivationRules = 15;

/** The fingerprint of all tables and columns: a file that remembers the same one needs no look. */
export function layoutOf(tables: readonly Table[]): string {
  const layout = tables.map((table) => [table.name, table.key, [...storedColumns(table)]]);
  return createHash('sha256').update(JSON.stringify(layout)).digest('hex').slice(0, 16);
}
