import type { SourceSyncRow } from '../store/source-syncs.ts';

/** How the last sync of a source went. */
export interface LastSyncView {
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

export function lastSyncView(sync: SourceSyncRow | undefined): LastSyncView | null {
  if (!sync?.started_at) return null;
  return {
    started_at: sync.started_at.toISOString(),
    finished_at: sync.finished_at?.toISOString() ?? null,
    outcome: sync.outcome,
    error: sync.error,
    to_do: sync.to_do,
  };
}
