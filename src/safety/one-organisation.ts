import { Refusal } from '../refusal.ts';
import { organisations, type StoreTable } from '../store/all-store-tables.ts';
import { organisationCalled } from '../store/organisation-rows.ts';
import { passwords, signIns } from '../store/source-tables.ts';
import type { Reading, Writing } from '../store/store.ts';
import { ownerColumn, type PlainRow } from './row-pages.ts';

/**
 * The tables that a backup of one organisation leaves out beside sessions: ways to sign in. Its Owner may take it
 * along, and must not be able to guess at what others sign in with. People who are restored get a new link.
 */
const leftOut: ReadonlySet<StoreTable> = new Set<StoreTable>([signIns, passwords]);

export const isLeftOut = (table: StoreTable): boolean => leftOut.has(table);

/** Refuses rows of a backup of one organisation that others have to do without. */
export async function refuseTaken(
  session: Writing,
  table: StoreTable,
  rows: readonly PlainRow[],
  organisationId: string,
): Promise<void> {
  await refuseTakenIds(session, table, rows, organisationId);
  if (table !== organisations) return;
  for (const { name } of rows) await refuseOthersName(session, organisationId, String(name));
}

/** The backup stays as it is, so it is the other one that has to be called something else. */
async function refuseOthersName(session: Writing, id: string, name: string): Promise<void> {
  const other = await organisationCalled(session, id, name);
  if (!other) return;
  throw new Refusal(
    'conflict',
    `An organisation called '${other.name}' is here already (${other.id}). Give it another name first: plumb org set --org ${other.id} name=…. Nothing was restored.`,
  );
}

/**
 * Refuses rows whose identifiers are taken by another organisation, where they have to differ in the whole store: a
 * backup that was edited must not get at keys or webhooks of others.
 */
async function refuseTakenIds(
  session: Reading,
  table: StoreTable,
  rows: readonly PlainRow[],
  organisationId: string,
): Promise<void> {
  const { key, columns, name } = table;
  const unique = [
    ...(key.includes('organisation_id') ? [] : key.slice(0, 1)),
    ...['hash', 'stop_token'].filter((name) => name in columns),
  ];
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
