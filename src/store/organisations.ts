import { selectList } from './rows.ts';
import type { Reading } from './store.ts';
import { organisations, type StoreRowOf } from './tables.ts';

export type OrganisationRow = StoreRowOf<typeof organisations>;

const columns = selectList(organisations, 'o');

export async function findOrganisation(session: Reading, id: string): Promise<OrganisationRow | undefined> {
  const [row] = await session.rows<OrganisationRow>(`SELECT ${columns} FROM organisations o WHERE o.id = $1`, [id]);
  return row;
}

export function listOrganisations(session: Reading): Promise<OrganisationRow[]> {
  return session.rows(`SELECT ${columns} FROM organisations o ORDER BY o.name, o.id`);
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
