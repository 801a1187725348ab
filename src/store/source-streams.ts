import { Refusal } from '../refusal.ts';
import { putRows } from './rows.ts';
import { sourceStreams } from './source-tables.ts';
import type { Reading, Writing } from './store.ts';
import type { StoreRowOf } from './store-table.ts';

export type SourceStreamRow = StoreRowOf<typeof sourceStreams>;

/** The streams of a source as the last reads left them. */
export function listStreams(session: Reading, sourceId: string): Promise<SourceStreamRow[]> {
  return session.rows('SELECT * FROM source_streams WHERE source_id = $1 ORDER BY scope, name, stream_id', [sourceId]);
}

/** The streams of every source of an organisation. */
export function listStreamsOfOrganisation(session: Reading, organisationId: string): Promise<SourceStreamRow[]> {
  return session.rows(
    'SELECT * FROM source_streams WHERE organisation_id = $1 ORDER BY source_id, scope, name, stream_id',
    [organisationId],
  );
}

/** A source that was removed while it was read. */
export class SourceRemoved extends Refusal {
  constructor() {
    super('not-found', 'The source was removed while it was read');
  }
}

/**
 * Remembers how far streams of a source have been read. Only after their rows are durable, and only while the source is
 * there: one that is removed while it is read stays removed.
 */
export async function putStreams(session: Writing, rows: readonly SourceStreamRow[]): Promise<void> {
  const ids = [...new Set(rows.map(({ source_id }) => source_id))];
  const known = await session.rows('SELECT id FROM sources WHERE id IN (SELECT unnest($1::text[]))', [ids]);
  if (known.length < ids.length) throw new SourceRemoved();
  await putRows(session, sourceStreams, rows);
}

/**
 * Forgets what went wrong with streams that there are no more, such as those of a repository that was left out. How far
 * they were read is kept, should they come back.
 */
export async function forgetErrors(session: Writing, sourceId: string, streamIds: readonly string[]): Promise<void> {
  const these = 'source_id = $1 AND stream_id IN (SELECT unnest($2::text[]))';
  const values = [sourceId, streamIds];
  await session.run(`DELETE FROM source_streams WHERE ${these} AND succeeded_at IS NULL AND read_count = 0`, values);
  await session.run(
    `UPDATE source_streams SET error = NULL, to_do = NULL, failed_at = NULL WHERE ${these} AND error IS NOT NULL`,
    values,
  );
}
