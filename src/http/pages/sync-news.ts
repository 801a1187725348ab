import type { Principal } from '../../access/principal.ts';
import { progressView, type SyncProgress, type SyncProgressView } from '../../jobs/sync-progress.ts';

/**
 * How far a sync is, as the caller may see it. Which repositories there are is for those who see the whole organisation;
 * everyone learns how much is done and how long it takes.
 */
export function progressFor(
  { visibility }: Pick<Principal, 'visibility'>,
  source: string,
  progress: SyncProgress | undefined,
): SyncProgressView | null {
  if (!progress) return null;
  const view = progressView(source, progress);
  return visibility === 'organisation' ? view : { ...view, streams: [] };
}
