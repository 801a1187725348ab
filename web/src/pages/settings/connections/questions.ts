import type { Connection } from '../../../ask/sources.ts';

export const statePill = (state: Connection['state']): string =>
  ({ waiting: '', syncing: '', complete: 'good', partial: 'warn', failed: 'bad' })[state];

/** When everything was last read, or else the newest moment at which any part was. */
export function lastSuccessOf({ last_sync, streams }: Pick<Connection, 'last_sync' | 'streams'>): string | undefined {
  if (last_sync?.outcome === 'complete' && last_sync.finished_at) return last_sync.finished_at;
  return streams
    .flatMap(({ last_success_at }) => last_success_at ?? [])
    .toSorted()
    .at(-1);
}
