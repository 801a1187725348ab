/** The progress of a sync or of one of its streams. It is never ahead of what is stored. */
export interface ProgressNews {
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
}

export interface StreamNews extends ProgressNews {
  /** `acme/web`; empty where the stream is of the whole source. */
  readonly scope: string;
  readonly stream: string;
  /** How many requests the other side still allows, and when it allows more. */
  readonly limit_left: number | null;
  readonly limit_resets_at: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

/** A sync as a whole, and its streams for callers who see the whole organisation. */
export interface SyncNews extends ProgressNews {
  readonly streams: readonly StreamNews[];
}

/** The events of a sync: while it runs, and when it is over. */
export interface SyncEvent {
  readonly source: { readonly id: string; readonly name: string };
  readonly is_running: boolean;
  readonly progress: SyncNews | null;
}

/** A sync that runs now. */
export interface RunningSync {
  readonly id: string;
  readonly name: string;
  readonly progress: SyncNews | null;
}

/** From when to when a table is complete, and how its rows arrive. */
export interface TableStatus {
  readonly table: string;
  readonly data_through: string | null;
  readonly data_since: string | null;
  /** The table holds reports of whole days. */
  readonly is_daily: boolean;
  /** How often the streams that feed it are read; null where none does. */
  readonly schedule_seconds: number | null;
  /** Streams that `data_through` does not wait for. */
  readonly missing: readonly string[];
}

/** A table that gets nothing new, since when, and the source that brings nothing. */
export interface StaleTable {
  readonly table: string;
  readonly since: string;
  readonly source: string | null;
}

/** What `GET /app/status` says of the organisation's data. */
export interface DataStatus {
  readonly connections: number;
  readonly sources: readonly {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly outcome: string | null;
    readonly last_sync_at: string | null;
  }[];
  readonly syncing: readonly RunningSync[];
  readonly last_sync_at: string | null;
  /** The earliest of all tables that have rows. */
  readonly data_through: string | null;
  readonly tables: readonly TableStatus[];
  /** Tables that get nothing new although they should. */
  readonly stale: readonly StaleTable[];
  readonly has_data: boolean;
  readonly is_sample: boolean;
  /** The day before which made-up data are still being filled in. */
  readonly filled_since: string | null;
  readonly last_backup_at: string | null;
  /** How many records each table has; null for a caller who does not see the whole organisation. */
  readonly rows: Readonly<Record<string, number>> | null;
}

/** Syncs that read history. Syncs that read what is new run all day, and pages do not mention them. */
export const firstSyncs = ({ syncing, sources }: DataStatus): DataStatus['syncing'] =>
  syncing.filter(({ id }) => !sources.find((source) => source.id === id)?.last_sync_at);

/** Streams whose records are missing from numbers, each once. While history is read, the page says that elsewhere. */
export const missingStreams = (status: DataStatus): readonly string[] =>
  firstSyncs(status).length > 0
    ? []
    : [...new Set(status.tables.flatMap(({ data_through, missing }) => (data_through === null ? [] : missing)))];

/** The status after one event of a sync. */
export const withNews = (status: DataStatus, { source, progress }: SyncEvent): DataStatus => ({
  ...status,
  syncing: status.syncing.map((one) => (one.id === source.id ? { ...one, progress: progress ?? one.progress } : one)),
});
