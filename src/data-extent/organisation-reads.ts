import { msPerDay } from '../calendar.ts';
import { type FactTable, isFactTable } from '../catalogue/tables/all-tables.ts';
import { dayFilledSince, findOrganisation } from '../store/organisation-rows.ts';
import {
  listSources,
  listStreamsOfOrganisation,
  listSyncs,
  type SourceStreamRow,
  type SourceSyncRow,
  syncEverySeconds,
} from '../store/source-rows.ts';
import type { Reading } from '../store/store.ts';
import type { FeedingStream } from './table-status.ts';

/** The state in the store of how far an organisation's sources are read. */
export interface OrganisationReads {
  /** The name of the organisation's time zone. */
  readonly zone: string;
  /** Streams by the table that they feed. */
  readonly streams: ReadonlyMap<FactTable, readonly FeedingStream[]>;
  /** The first day of what is whole of a sample whose history is still being filled in: before it there are some rows only. */
  readonly filledSince: string | undefined;
}

export async function organisationReads(session: Reading, organisationId: string): Promise<OrganisationReads> {
  const organisation = await findOrganisation(session, organisationId);
  const names = new Map((await listSources(session, organisationId)).map(({ id, name }) => [id, name]));
  const syncs = new Map((await listSyncs(session, organisationId)).map((sync) => [sync.source_id, sync]));
  const streams = new Map<FactTable, FeedingStream[]>();
  for (const row of await listStreamsOfOrganisation(session, organisationId)) {
    const sync = syncs.get(row.source_id);
    if (isLongGone(row, sync)) continue;
    const stream = feedingStream(row, names.get(row.source_id) ?? '', sync);
    for (const table of tablesOf(row)) streams.set(table, [...(streams.get(table) ?? []), stream]);
  }
  const filledSince = await dayFilledSince(session, organisationId);
  return { zone: organisation?.time_zone ?? 'UTC', streams, filledSince };
}

const tablesOf = ({ feeds }: SourceStreamRow): FactTable[] =>
  feeds === null ? [] : (JSON.parse(feeds) as string[]).filter(isFactTable);

/** A stream as the last reads have left it. */
function feedingStream(row: SourceStreamRow, source: string, sync: SourceSyncRow | undefined): FeedingStream {
  const { name, scope, complete_at: completeAt, failing_since: failingSince } = row;
  // A source that cannot even be listed reads none of its streams: each of them fails from then on.
  const isUnlisted = sync?.error != null && sync.outcome === 'failed';
  return {
    name: `${name}${scope === '' ? '' : ` of ${scope}`} (${source})`,
    source,
    everySeconds: syncEverySeconds,
    isDaily: row.is_daily === true,
    completeAt: secondsOf(completeAt),
    readBackTo: secondsOf(row.read_back_to),
    newestRecordAt: secondsOf(row.newest_record_at),
    leftOut: isGone(row, sync) ? 'gone' : row.is_refused === true ? 'forbidden' : undefined,
    failingSince: secondsOf(failingSince ?? (isUnlisted ? completeAt : null)),
  };
}

/** A sync saves every stream that its source lists. So a stream that was saved before the sync began is gone. */
function isGone({ updated_at: savedAt }: SourceStreamRow, sync: SourceSyncRow | undefined): boolean {
  if (!sync?.started_at || !sync.finished_at || sync.finished_at < sync.started_at || sync.error !== null) return false;
  return savedAt < sync.started_at;
}

/** A stream that is gone is named for a month, and not for ever. */
const namedForMs = 30 * msPerDay;

const isLongGone = (row: SourceStreamRow, sync: SourceSyncRow | undefined): boolean =>
  isGone(row, sync) && (sync?.finished_at?.getTime() ?? 0) - row.updated_at.getTime() > namedForMs;

const secondsOf = (at: Date | null): number | undefined => (at === null ? undefined : Math.floor(at.getTime() / 1_000));
