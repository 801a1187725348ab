import type { StoreRowOf } from './define-table.ts';
import { insertRows, putRows } from './put-rows.ts';
import {
  sourceMemberships,
  sourcePeople,
  sourceStreams,
  sourceSyncs,
  sources,
  webhookDeliveries,
} from './source-tables.ts';
import type { OrganisationWriting, Reading } from './store.ts';

export type SourceRow = StoreRowOf<typeof sources>;

/** The sources of an organisation by name, or of all organisations. */
export function listSources(session: Reading, organisationId?: string): Promise<SourceRow[]> {
  return session.rows(
    'SELECT * FROM sources WHERE $1::text IS NULL OR organisation_id = $1 ORDER BY organisation_id, name_key',
    [organisationId ?? null],
  );
}

/** Those with secrets in the form that earlier versions encrypted. */
export function listSourcesOfEarlierVersions(session: Reading): Promise<SourceRow[]> {
  return session.rows("SELECT * FROM sources WHERE secrets LIKE 'v1.%' ORDER BY id", []);
}

export async function findSource(session: Reading, id: string): Promise<SourceRow | undefined> {
  const [row] = await session.rows<SourceRow>('SELECT * FROM sources WHERE id = $1', [id]);
  return row;
}

export async function findSourceByName(
  session: Reading,
  organisationId: string,
  nameKey: string,
): Promise<SourceRow | undefined> {
  const [row] = await session.rows<SourceRow>('SELECT * FROM sources WHERE organisation_id = $1 AND name_key = $2', [
    organisationId,
    nameKey,
  ]);
  return row;
}

/** Adds a source with nothing read of it yet. That its name is free is for the caller to see to. */
export async function addSource(session: OrganisationWriting, source: SourceRow): Promise<void> {
  await insertRows(session, sources, [source]);
  await insertRows(session, sourceSyncs, [
    {
      source_id: source.id,
      organisation_id: source.organisation_id,
      holder: null,
      lease_until: null,
      requested_at: null,
      started_at: null,
      finished_at: null,
      outcome: null,
      error: null,
      to_do: null,
    },
  ]);
}

/** Changes a source that is still there. */
export async function putSource(session: OrganisationWriting, source: SourceRow): Promise<void> {
  if (await findSource(session, source.id)) await putRows(session, sources, [source]);
}

/**
 * Removes a source and what is known of reading it. The rows that it brought stay, and so do memberships, from now on
 * like those made by hand.
 */
export async function removeSource(session: OrganisationWriting, id: string): Promise<void> {
  for (const { name } of [sourceStreams, webhookDeliveries, sourceSyncs, sourcePeople, sourceMemberships]) {
    await session.run(`DELETE FROM ${name} WHERE source_id = $1`, [id]);
  }
  await session.run('DELETE FROM sources WHERE id = $1', [id]);
}
