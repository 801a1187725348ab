import type { LiveEvents, SyncNews } from './live-events.ts';
import { queryClient, useJson } from './use-answer.ts';

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
  /** How many there are by table; null for whoever does not see the whole organisation. */
  readonly rows: Readonly<Record<string, number>> | null;
}

const path = '/app/status';

export const useDataStatus = () => useJson<DataStatus>(path);

/** Puts the news of a sync into the status. One that begins or ends changes more of it, so that it is asked again. */
export function tellStatus(news: LiveEvents['sync']): void {
  const known = queryClient.getQueryData<DataStatus>([path]);
  const isKnown = known?.syncing.some(({ id }) => id === news.source.id) ?? false;
  if (known && isKnown && news.is_running) queryClient.setQueryData<DataStatus>([path], withNews(known, news));
  else if (isKnown || news.is_running) {
    // News come faster than a slow answer: one that is on its way is waited for, unless the sync is over.
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: !news.is_running });
  }
}

export const withNews = (status: DataStatus, { source, progress }: LiveEvents['sync']): DataStatus => ({
  ...status,
  syncing: status.syncing.map((one) => (one.id === source.id ? { ...one, progress: progress ?? one.progress } : one)),
});
