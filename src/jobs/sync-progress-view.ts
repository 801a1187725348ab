import type { LimitProgress, StreamProgress, SyncProgress } from './sync-progress.ts';

/** How far one stream of a source is. Never ahead of what is stored. */
export interface SyncStreamLine {
  readonly source: string;
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string;
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
  readonly limit_left: number | null;
  readonly limit_resets_at: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

export function streamLine(source: string, stream: StreamProgress, limits: readonly LimitProgress[]): SyncStreamLine {
  const [tightest] = limits
    .filter(({ remaining }) => remaining !== undefined)
    .sort((a, b) => (a.remaining ?? 0) - (b.remaining ?? 0));
  return {
    source,
    scope: stream.scope,
    stream: stream.stream,
    phase: stream.phase,
    done: stream.done,
    estimated: stream.estimated ?? null,
    per_minute: stream.perMinute ?? null,
    seconds_left: stream.secondsLeft ?? null,
    limit_left: tightest?.remaining ?? null,
    limit_resets_at: tightest?.resetAt ?? null,
    error: stream.lastError?.message ?? null,
    to_do: stream.lastError?.toDo ?? null,
  };
}

/** How far a sync is that runs now, or was the last to run in this process. */
export interface SyncProgressView {
  readonly phase: string;
  readonly done: number;
  readonly estimated: number | null;
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
  readonly streams: readonly SyncStreamLine[];
}

export const progressView = (source: string, progress: SyncProgress): SyncProgressView => ({
  phase: progress.phase,
  done: progress.done,
  estimated: progress.estimated ?? null,
  per_minute: progress.perMinute ?? null,
  seconds_left: progress.secondsLeft ?? null,
  streams: progress.streams.map((stream) => streamLine(source, stream, progress.limits)),
});

/** The same where a sync is under way; null where it is over. */
export const runningView = (source: string, progress: SyncProgress | undefined): SyncProgressView | null =>
  progress && ['listing', 'reading'].includes(progress.phase) ? progressView(source, progress) : null;
