/** How far a sync or one of its streams is. Never ahead of what is stored. */
export interface ProgressNews {
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
}

export interface StreamNews extends ProgressNews {
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string;
  /** Of how many requests the other side still allows, and when it allows more. */
  readonly limit_left: number | null;
  readonly limit_resets_at: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

/** A sync as a whole, and its streams for callers who see the whole organisation. */
export interface SyncNews extends ProgressNews {
  readonly streams: readonly StreamNews[];
}

/** What is told of a sync while it runs, and when it is over. */
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
  readonly data_through: string | null;
  readonly has_data: boolean;
  readonly is_demo: boolean;
  readonly last_backup_at: string | null;
  /** How many there are by table; null for a caller who does not see the whole organisation. */
  readonly rows: Readonly<Record<string, number>> | null;
}

/** The status with what was told of one sync. */
export const withNews = (status: DataStatus, { source, progress }: SyncEvent): DataStatus => ({
  ...status,
  syncing: status.syncing.map((one) => (one.id === source.id ? { ...one, progress: progress ?? one.progress } : one)),
});
