import { type DataStatus, type SyncEvent, withNews } from './status-answer.ts';
import { queryClient, useJson } from './use-answer.ts';

const path = '/app/status';

export const useDataStatus = () => useJson<DataStatus>(path);

/** Puts the news of a sync into the status. One that begins or ends changes more of it, so that it is asked again. */
export function tellStatus(news: SyncEvent): void {
  const known = queryClient.getQueryData<DataStatus>([path]);
  const isKnown = known?.syncing.some(({ id }) => id === news.source.id) ?? false;
  if (known && isKnown && news.is_running) queryClient.setQueryData<DataStatus>([path], withNews(known, news));
  else if (isKnown || news.is_running) {
    // News come faster than a slow answer: one that is on its way is waited for, unless the sync is over.
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: !news.is_running });
  }
}
