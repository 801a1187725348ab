import { cursors } from './all-store-tables.ts';
import { putRows } from './put-rows.ts';
import type { OrganisationWriting, Reading, Writing } from './store.ts';

/** How far a stream of a source has been read, in the source's own terms; undefined before the first time. */
export async function findCursor(
  session: Reading,
  organisationId: string,
  source: string,
  stream: string,
): Promise<string | undefined> {
  const [row] = await session.rows<{ value: string }>(
    'SELECT value FROM cursors WHERE organisation_id = $1 AND source = $2 AND stream = $3',
    [organisationId, source, stream],
  );
  return row?.value;
}

/** Remembers how far a stream has been read. Only after its rows are durable. */
export async function putCursor(
  session: OrganisationWriting,
  source: string,
  stream: string,
  value: string,
  at: Date,
): Promise<void> {
  await noteCursor(session, session.organisationId, source, stream, value, at);
}

/** Writes a cursor on which no answer depends: the organisation keeps its version. */
export async function noteCursor(
  session: Writing,
  organisationId: string,
  source: string,
  stream: string,
  value: string,
  at: Date,
): Promise<void> {
  await putRows(session, cursors, [{ organisation_id: organisationId, source, stream, value, updated_at: at }]);
}

/** The organisations that something of a source was ever read for. */
export async function organisationsOf(session: Reading, source: string): Promise<string[]> {
  const rows = await session.rows<{ id: string }>(
    'SELECT DISTINCT organisation_id AS id FROM cursors WHERE source = $1 ORDER BY id',
    [source],
  );
  return rows.map(({ id }) => id);
}
