import { LRUCache } from 'lru-cache';
import type { Ticket } from '../admission/ticket.ts';
import { isoText } from '../calendar.ts';
import { surveys } from '../catalogue/derivation-state.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { TableStatus } from '../data-extent/table-status.ts';
import { backupAction, lastEventAt } from '../store/audit.ts';
import { dayFilledSince, isSampleOrganisation } from '../store/organisation-rows.ts';
import { listSources, listSyncs, type SourceSyncRow } from '../store/source-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import type { IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type FilledTable, filledTables } from './gaps.ts';

/**
 * The status that pages need before they show a number: the sources that are connected, those being read, and how new
 * the data is.
 */
interface DataStatus {
  readonly sources: readonly SourceStatus[];
  readonly freshness: Freshness;
  readonly lastBackupAt: string | null;
  /** The data of the organisation is made up. */
  readonly isSample: boolean;
  /** The day before which made-up data are still being filled in. */
  readonly filledSince: string | undefined;
}

export interface SourceStatus {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly isSyncing: boolean;
  readonly lastSyncAt: string | null;
  /** `complete`, `partial` or `failed`; null before the first one has ended. */
  readonly outcome: string | null;
}

interface DataStatusParts {
  readonly store: Pick<Store, 'read'>;
  readonly warehouse: Pick<IntakePort, 'read'> & { versionOf(organisationId: string): number | undefined };
  readonly extents: {
    statuses(
      organisationId: string,
      tables: readonly FactTable[],
      reader: { readonly ticket?: Ticket | undefined },
    ): Promise<readonly TableStatus[]>;
  };
  readonly now: () => Date;
}

interface DataStatusOptions {
  readonly ticket?: Ticket | undefined;
}

interface KnownTables {
  readonly version: number;
  readonly filled: readonly FilledTable[];
}

const maxOrganisations = 200;

/** The status of organisations. What their tables hold is looked up once for each version of it. */
export class DataStatuses {
  readonly #parts: DataStatusParts;
  readonly #known = new LRUCache<string, KnownTables>({ max: maxOrganisations });

  constructor(parts: DataStatusParts) {
    this.#parts = parts;
  }

  async of(organisationId: string, options: DataStatusOptions = {}): Promise<DataStatus> {
    const { store, now } = this.#parts;
    const ofStore = async (session: Reading) => {
      const syncs = new Map((await listSyncs(session, organisationId)).map((sync) => [sync.source_id, sync]));
      const sources = await listSources(session, organisationId);
      return {
        sources: sources.map(({ id, kind, name }) => ({ id, kind, name, ...syncStatus(syncs.get(id), now()) })),
        lastBackupAt: (await lastEventAt(session, organisationId, backupAction))?.toISOString() ?? null,
        isSample: await isSampleOrganisation(session, organisationId),
        filledSince: await dayFilledSince(session, organisationId),
      };
    };
    const known = await store.read(ofStore, { organisationId, ...options });
    const filled = await this.#filledTables(organisationId, options);
    const tables = filled.map(({ table }) => table);
    const statuses = await this.#parts.extents.statuses(organisationId, tables, options);
    return { ...known, freshness: freshnessOf(filled, statuses, known.isSample) };
  }

  /** Whether answers to any survey were given anonymously, whatever the present setting is. */
  async hasAnonymousSurveys(organisationId: string, options: DataStatusOptions = {}): Promise<boolean> {
    const isAnonymous = { column: 'survey_privacy', in: ['anonymous'] } as const;
    const work = (session: TableReader) => session.tally(surveys, [], isAnonymous);
    const [counted] = await this.#parts.warehouse.read(organisationId, work, options);
    return (counted?.rows ?? 0) > 0;
  }

  async #filledTables(organisationId: string, options: DataStatusOptions): Promise<readonly FilledTable[]> {
    const { warehouse } = this.#parts;
    // Asked before the tables are read: what changes meanwhile is looked up again the next time.
    const version = warehouse.versionOf(organisationId);
    const kept = this.#known.get(organisationId);
    if (kept && kept.version === version) return kept.filled;
    const filled = await warehouse.read(organisationId, filledTables, { lane: 'heavy', ...options });
    if (version !== undefined) this.#known.set(organisationId, { version, filled });
    return filled;
  }
}

function syncStatus(sync: SourceSyncRow | undefined, now: Date) {
  return {
    isSyncing: sync?.holder != null && (sync.lease_until?.getTime() ?? 0) > now.getTime(),
    lastSyncAt: sync?.finished_at?.toISOString() ?? null,
    outcome: sync?.outcome ?? null,
  };
}

/** How new the data of an organisation is. */
export interface Freshness {
  /** Of all tables. */
  readonly newest_record_at: string | null;
  /** The moment up to which every table that has rows is complete; null where no table says so. */
  readonly data_through: string | null;
  /** Every table that has rows. */
  readonly tables: readonly TableFreshness[];
  /** The tables that get nothing new, though they should. */
  readonly stale: readonly StaleTable[];
}

interface TableFreshness extends FilledTable {
  readonly newest_record_at: string | null;
  readonly data_through: string | null;
  readonly data_since: string | null;
  /** The rows of the table are reports of whole days. */
  readonly is_daily: boolean;
  /** How often the streams that feed it are read; null where none does. */
  readonly schedule_seconds: number | null;
  /** Streams that feed it and do not count, for people. */
  readonly missing: readonly string[];
}

interface StaleTable {
  readonly table: string;
  /** The moment up to which its rows are complete. */
  readonly since: string;
  /** The name of the source that brings nothing; null where no source feeds it. */
  readonly source: string | null;
}

/** Sample data is made up and gets nothing new by itself: it is never stale. */
export function freshnessOf(
  filled: readonly FilledTable[],
  statuses: readonly TableStatus[],
  isSample: boolean,
): Freshness {
  const byTable = new Map(statuses.map((status) => [status.table, status]));
  const known = filled.flatMap(({ table }) => byTable.get(table) ?? []);
  const newest = known.flatMap(({ newestRecordAt }) => newestRecordAt ?? []);
  // The earliest: a page may show any of the tables, and promises nothing that is not there in all of them.
  const through = known.flatMap((status) => status.through ?? []);
  return {
    newest_record_at: newest.length === 0 ? null : millisecondText(Math.max(...newest)),
    data_through: through.length === 0 ? null : isoText(Math.min(...through)),
    tables: filled.map(({ table, rows }) => {
      const status = byTable.get(table);
      return {
        table,
        rows,
        newest_record_at: status?.newestRecordAt === undefined ? null : millisecondText(status.newestRecordAt),
        data_through: textOf(status?.through),
        data_since: textOf(status?.since),
        is_daily: status?.isDaily ?? false,
        schedule_seconds: status?.scheduleSeconds ?? null,
        missing: status?.missing ?? [],
      };
    }),
    stale: isSample
      ? []
      : known.flatMap(({ table, stale }) =>
          stale ? [{ table, since: isoText(stale.since), source: stale.source ?? null }] : [],
        ),
  };
}

const textOf = (seconds: number | undefined): string | null => (seconds === undefined ? null : isoText(seconds));
const millisecondText = (seconds: number): string => new Date(seconds * 1_000).toISOString();
