import { type DataStatus, type SyncEvent, withNews } from './status-answer.ts';
import { queryClient, useJson } from './use-answer.ts';

const path = '/app/status';

export const useDataStatus = () => useJson<DataStatus>(path);

/** Puts an event of a sync into the status. When a sync begins or ends, the whole status is asked again. */
export function tellStatus(news: SyncEvent): void {
  const known = queryClient.getQueryData<DataStatus>([path]);
  const isKnown = known?.syncing.some(({ id }) => id === news.source.id) ?? false;
  if (known && isKnown && news.is_running) queryClient.setQueryData<DataStatus>([path], withNews(known, news));
  else if (isKnown || news.is_running) {
    // Events arrive faster than a slow answer: a request under way is not sent again, unless the sync is over.
    void queryClient.invalidateQueries({ queryKey: [path] }, { cancelRefetch: !news.is_running });
  }
}
