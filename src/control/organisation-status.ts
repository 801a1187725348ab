import { DataExtents } from '../data-extent/data-extents.ts';
import { DataStatuses, type SourceStatus } from '../data-quality/data-status.ts';
import { type SourceHealth, sourceHealth } from '../data-quality/source-health.ts';
import type { Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { listGroups, teamKind } from '../store/group-rows.ts';
import { listTroubledMessages, troubledDays } from '../store/message-rows.ts';
import { listOrganisations, type OrganisationRow } from '../store/organisation-rows.ts';
import { listPeople } from '../store/people-rows.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';

interface StatusParts {
  readonly directory: Directory;
  readonly tables: () => {
    readonly warehouse: Pick<IntakePort, 'read'> & { versionOf(organisationId: string): number | undefined };
  };
}

/** The status of one organisation, or of all of them. */
export async function organisationStatuses(parts: StatusParts, org?: string): Promise<OrganisationStatus[]> {
  const { store } = parts.directory;
  const asked = await store.read(async (session) =>
    org === undefined ? listOrganisations(session) : [await resolveOrganisation(session, org)],
  );
  const statuses: OrganisationStatus[] = [];
  for (const one of asked) statuses.push(await statusOf(parts, one));
  return statuses;
}

/** The status of an organisation at a glance. */
export type OrganisationStatus = Awaited<ReturnType<typeof statusOf>>;

async function statusOf({ directory, tables }: StatusParts, { id, name }: OrganisationRow) {
  const { store, now } = directory;
  const { warehouse } = tables();
  const known = await store.read(async (session) => ({
    people: await listPeople(session, id),
    teams: await listGroups(session, teamKind, id),
    health: await sourceHealth(session, id),
    troubled: await listTroubledMessages(session, id, new Date(now().getTime() - troubledDays * 24 * 3_600_000)),
  }));
  const extents = new DataExtents({ store, warehouse, now });
  const statuses = new DataStatuses({ store, warehouse, extents, now });
  const { sources, freshness, lastBackupAt, isSample } = await statuses.of(id);
  return {
    id,
    name,
    people: known.people.length,
    onboarded: known.people.filter(({ onboarded }) => onboarded).length,
    teams: known.teams.length,
    /** Of all tables. */
    newest_record_at: freshness.newest_record_at,
    /** The moment up to which every table that has rows is complete. */
    data_through: freshness.data_through,
    /** The data of the organisation is made up. */
    is_sample: isSample,
    /** Tables that have rows. */
    tables: freshness.tables,
    /** The tables that get nothing new, though they should. */
    stale: freshness.stale,
    sources: sources.map((source) => sourceView(source, known.health)),
    last_backup_at: lastBackupAt,
    /** Receivers of alerts and digests whose messages failed lately, or are tried again. */
    unreached_receivers: known.troubled.length,
  };
}

/** The error of a source as a whole, or else the first one of its streams. */
function sourceView({ id, name, kind, isSyncing, lastSyncAt, outcome }: SourceStatus, health: readonly SourceHealth[]) {
  const found = health.find((one) => one.id === id);
  const error = found?.last_error ?? found?.streams.find(({ last_error }) => last_error !== null)?.last_error;
  return {
    name,
    kind,
    is_syncing: isSyncing,
    last_sync_at: lastSyncAt,
    outcome,
    error: error?.message ?? null,
    to_do: error?.to_do ?? null,
  };
}
