import { Refusal } from '../refusal.ts';
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
import type { OrganisationWriting, Reading, Store, Writing } from './store.ts';

export type SourceRow = StoreRowOf<typeof sources>;

/** The sources of an organisation by name, or of all organisations. */
export function listSources(session: Reading, organisationId?: string): Promise<SourceRow[]> {
  return session.rows(
    'SELECT * FROM sources WHERE $1::text IS NULL OR organisation_id = $1 ORDER BY organisation_id, name_key',
    [organisationId ?? null],
  );
}

/** The sources with secrets in the form that earlier versions encrypted. */
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
  await lockStreams(session, id);
  for (const { name } of [sourceStreams, webhookDeliveries, sourceSyncs, sourcePeople, sourceMemberships]) {
    await session.run(`DELETE FROM ${name} WHERE source_id = $1`, [id]);
  }
  await session.run('DELETE FROM sources WHERE id = $1', [id]);
}

export type SourceSyncRow = StoreRowOf<typeof sourceSyncs>;
type SyncOutcome = 'complete' | 'partial' | 'failed';

/** How often each source is read. */
export const syncEverySeconds = 3_600;

/** The syncs of all sources, or of one organisation's. */
export function listSyncs(session: Reading, organisationId?: string): Promise<SourceSyncRow[]> {
  return session.rows('SELECT * FROM source_syncs WHERE $1::text IS NULL OR organisation_id = $1 ORDER BY source_id', [
    organisationId ?? null,
  ]);
}

/**
 * When the last sync began, as read by the scheduler that found a source due. If another has begun since, it is not
 * due.
 */
export interface LastStart {
  readonly startedAt: Date | null;
}

/**
 * Takes or renews the right to read a source, which one process at a time has; false while another one has it. By the
 * store's own clock: those of servers may differ.
 */
export async function takeLease(
  store: Pick<Store, 'note'>,
  sourceId: string,
  holder: string,
  leaseMs: number,
  lastStart?: LastStart,
): Promise<boolean> {
  let isTaken = false;
  await store.note(async (session) => {
    const rows = await session.rows(
      `UPDATE source_syncs SET holder = $2, lease_until = now() + $3 * interval '1 millisecond'
       WHERE source_id = $1 AND (holder IS NULL OR holder = $2 OR lease_until < now())
         AND ($4::boolean OR started_at IS NOT DISTINCT FROM $5::timestamptz)
       RETURNING source_id`,
      [sourceId, holder, leaseMs, lastStart === undefined, lastStart?.startedAt ?? null],
    );
    isTaken = rows.length > 0;
  });
  return isTaken;
}

/** Gives the right back, where it is still the holder's. */
export async function endLease(session: Writing, sourceId: string, holder: string): Promise<void> {
  await session.run('UPDATE source_syncs SET holder = NULL, lease_until = NULL WHERE source_id = $1 AND holder = $2', [
    sourceId,
    holder,
  ]);
}

/** For the only process that is left: what other processes were reading can be continued at once. */
export async function endLostLeases(store: Pick<Store, 'read' | 'note'>): Promise<void> {
  const held = (await store.read((session) => listSyncs(session))).some(({ holder }) => holder !== null);
  if (!held) return;
  await store.note((session) =>
    session.run('UPDATE source_syncs SET holder = NULL, lease_until = NULL WHERE holder IS NOT NULL'),
  );
}

/** Asks for a source to be read soon. */
export async function requestSync(session: Writing, sourceId: string, at: Date): Promise<void> {
  await session.run('UPDATE source_syncs SET requested_at = $2::timestamptz WHERE source_id = $1', [sourceId, at]);
}

/** A request that came before is being answered now; one that comes later stays. */
export async function beginSync(session: Writing, sourceId: string, at: Date): Promise<void> {
  await session.run('UPDATE source_syncs SET started_at = $2::timestamptz, requested_at = NULL WHERE source_id = $1', [
    sourceId,
    at,
  ]);
}

interface FinishedSync {
  readonly at: Date;
  readonly outcome: SyncOutcome;
  /** Of the source as a whole; those of streams are with the streams. */
  readonly error?: string | undefined;
  readonly toDo?: string | undefined;
}

export async function finishSync(
  session: Writing,
  sourceId: string,
  { at, outcome, error, toDo }: FinishedSync,
): Promise<void> {
  await session.run(
    `UPDATE source_syncs SET finished_at = $2::timestamptz, outcome = $3, error = $4, to_do = $5 WHERE source_id = $1`,
    [sourceId, at, outcome, error ?? null, toDo ?? null],
  );
}

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

/** Streams are noted beside the changes of an organisation, so that a removal would not see those that are being written. */
const lockStreams = (session: Writing, sourceId: string): Promise<void> => session.lock(`streams of ${sourceId}`);

/**
 * Remembers how far streams of a source have been read. Only after their rows are durable, and only while the source is
 * there: one that is removed while it is read stays removed.
 */
export async function putStreams(session: Writing, rows: readonly SourceStreamRow[]): Promise<void> {
  const ids = [...new Set(rows.map(({ source_id }) => source_id))].sort();
  for (const id of ids) await lockStreams(session, id);
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
