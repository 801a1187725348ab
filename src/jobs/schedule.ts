import { Cron } from 'croner';
import { type LastStart, listSyncs, type SourceSyncRow, syncEverySeconds } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';

interface ScheduleParts {
  readonly store: Pick<Store, 'read'>;
  /** Reads one source; returns at once where another process is at it, or has been since it was found due. */
  readonly sync: (sourceId: string, signal: AbortSignal, lastStart: LastStart) => Promise<unknown>;
  readonly now: () => Date;
  /** Called with unexpected failures of syncs. */
  readonly onError: (error: unknown) => void;
}

const everyMs = syncEverySeconds * 1_000;
/** Sources that one process reads at the same time. */
const maxSyncs = 2;
/**
 * The schedule looks every minute for syncs that are due, so that one that was asked for, or cut off by a crash, begins
 * soon.
 */
const lookPattern = '* * * * *';

/** Syncs sources every hour. What is due is in the store: a restart loses nothing, and any process may do it. */
export class SyncSchedule {
  readonly #parts: ScheduleParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #cron: Cron | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    const look = () => this.look().catch((error: unknown) => this.#report(error));
    this.#cron = new Cron(lookPattern, { protect: true, unref: true }, look);
    void look();
  }

  /** Begins what is due, the longest overdue first, as far as there is room. */
  async look(): Promise<void> {
    const { store, now } = this.#parts;
    if (this.#stop.signal.aborted) return;
    const due = (await store.read((session) => listSyncs(session)))
      .filter((row) => isDue(row, now()) && !this.#running.has(row.source_id))
      .sort((a, b) => dueSince(a) - dueSince(b));
    for (const row of due.slice(0, Math.max(0, maxSyncs - this.#running.size))) this.#begin(row);
  }

  /** Stops what runs, which the next start goes on with. */
  async close(): Promise<void> {
    this.#cron?.stop();
    this.#stop.abort(new Error('the schedule is being closed'));
    await Promise.all(this.#running.values());
  }

  #begin({ source_id: sourceId, started_at: startedAt }: SourceSyncRow): void {
    const run = this.#parts
      .sync(sourceId, this.#stop.signal, { startedAt })
      .catch((error: unknown) => this.#report(error))
      .then(async () => {
        this.#running.delete(sourceId);
        // Another one may have waited for the room.
        await this.look().catch((error: unknown) => this.#report(error));
      });
    this.#running.set(sourceId, run);
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#parts.onError(error);
  }
}

const time = (date: Date | null): number => date?.getTime() ?? 0;

/** A sync that was begun and never finished was cut off: the lease says whether a process still reads it. */
function isDue(row: SourceSyncRow, now: Date): boolean {
  if (row.holder !== null && time(row.lease_until) > now.getTime()) return false;
  if (row.requested_at !== null || row.started_at === null) return true;
  const isCutOff = time(row.finished_at) < time(row.started_at);
  return isCutOff || now.getTime() - time(row.started_at) >= everyMs;
}

const dueSince = (row: SourceSyncRow): number => time(row.requested_at) || time(row.started_at);
