import { Refusal } from '../refusal.ts';
import { passwords, signIns } from '../store/sign-in-tables.ts';
import type { Reading } from '../store/store.ts';
import type { StoreTable } from '../store/tables.ts';
import { ownerColumn, type PlainRow } from './table-pages.ts';

/**
 * What a backup of one organisation leaves out beside sessions: ways to sign in. Its Owner may take it along, and must
 * not be able to guess at what others sign in with. People who are restored get a new link.
 */
const leftOut: ReadonlySet<StoreTable> = new Set<StoreTable>([signIns, passwords]);

export const isLeftOut = (table: StoreTable): boolean => leftOut.has(table);

/**
 * Refuses rows whose identifiers are taken by another organisation, where they have to differ in the whole store: a
 * backup that was edited must not get at keys or webhooks of others.
 */
export async function refuseTakenIds(
  session: Reading,
  table: StoreTable,
  rows: readonly PlainRow[],
  organisationId: string,
): Promise<void> {
  const { key, columns, name } = table;
  const unique = [...(key.includes('organisation_id') ? [] : key.slice(0, 1)), ...('hash' in columns ? ['hash'] : [])];
  for (const column of unique) {
    const [taken] = await session.rows(
      `SELECT 1 AS taken FROM ${name}
       WHERE ${column} IN (SELECT unnest($1::text[])) AND ${ownerColumn(table)} <> $2 LIMIT 1`,
      [[...new Set(rows.map((row) => String(row[column])))], organisationId],
    );
    if (taken) {
      throw new Refusal(
        'conflict',
        `The backup has a ${column} in ${name} that is here already. Nothing was restored.`,
      );
    }
  }
}
