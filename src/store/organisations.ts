import { selectList } from './rows.ts';
import type { OrganisationWriting, Reading } from './store.ts';
import { organisations, type StoreRowOf, storeTables } from './tables.ts';

export type OrganisationRow = StoreRowOf<typeof organisations>;

const columns = selectList(organisations, 'o');

export async function findOrganisation(session: Reading, id: string): Promise<OrganisationRow | undefined> {
  const [row] = await session.rows<OrganisationRow>(`SELECT ${columns} FROM organisations o WHERE o.id = $1`, [id]);
  return row;
}

export function listOrganisations(session: Reading): Promise<OrganisationRow[]> {
  return session.rows(`SELECT ${columns} FROM organisations o ORDER BY o.name, o.id`);
}

/** Whether the organisation `o` was made by the demo: its data is made up. */
export const isSample =
  "EXISTS (SELECT 1 FROM audit_log a WHERE a.organisation_id = o.id AND a.via = 'demo' AND a.action = 'organisation.create')";

export async function isSampleOrganisation(session: Reading, id: string): Promise<boolean> {
  const sql = `SELECT ${isSample} AS is_sample FROM organisations o WHERE o.id = $1`;
  const [row] = await session.rows<{ is_sample: boolean }>(sql, [id]);
  return row?.is_sample ?? false;
}

export async function versionIn(session: Reading, organisationId: string): Promise<number> {
  const [row] = await session.rows<{ version: number }>('SELECT version FROM organisations WHERE id = $1', [
    organisationId,
  ]);
  return row?.version ?? 0;
}

/** Everyone who lets others compare themselves with them. */
export async function listBenchmarked(session: Reading): Promise<string[]> {
  const rows = await session.rows<{ id: string }>(
    'SELECT id FROM organisations WHERE NOT benchmark_opt_out ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

/** Removes an organisation with all that the store has of it: people, keys, sessions, sources, its audit log. */
export async function removeOrganisation(session: OrganisationWriting): Promise<void> {
  for (const { name, columns: has } of storeTables) {
    const owner = 'organisation_id' in has ? 'organisation_id' : 'id';
    await session.run(`DELETE FROM ${name} WHERE ${owner} = $1`, [session.organisationId]);
  }
}
