import { beginSync, endLease, finishSync, type LastStart, takeLease } from '../store/source-syncs.ts';
import type { Store } from '../store/store.ts';
import type { SyncResult } from './sync-source.ts';

/** How long a sync is a process's own without being renewed, and how often it is renewed. */
export interface SyncLeaseTerms {
  readonly leaseMs: number;
  readonly renewMs: number;
}

export const usualSyncLease: SyncLeaseTerms = { leaseMs: 90_000, renewMs: 20_000 };

interface LeasedSync {
  readonly store: Pick<Store, 'note'>;
  readonly sourceId: string;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly terms?: SyncLeaseTerms;
  /** Nothing is done where another process has read it since. */
  readonly lastStart?: LastStart | undefined;
}

class LeaseLost extends Error {}

const unexpected: SyncResult = {
  outcome: 'failed',
  problem: { message: 'Reading it failed in an unexpected way', toDo: 'The log of the server says more.' },
};

/**
 * Reads a source while no other process does; does nothing where another process reads it. A killed process keeps its
 * lease until the lease runs out; then the next process that finds the source continues to read it.
 */
export async function runSync(
  { store, sourceId, holder, signal, now, terms = usualSyncLease, lastStart }: LeasedSync,
  sync: (signal: AbortSignal) => Promise<SyncResult>,
): Promise<SyncResult | undefined> {
  if (!(await takeLease(store, sourceId, holder, terms.leaseMs, lastStart))) return undefined;
  const lost = new AbortController();
  const renew = async () => {
    // A store that cannot be reached now may be there with the next renewal.
    const isOurs = await takeLease(store, sourceId, holder, terms.leaseMs).catch(() => true);
    if (!isOurs) lost.abort(new LeaseLost('another process reads this source now'));
  };
  const finish = ({ outcome, problem }: SyncResult) =>
    store.note((session) =>
      finishSync(session, sourceId, { at: now(), outcome, error: problem?.message, toDo: problem?.toDo }),
    );
  const renewing = setInterval(() => void renew(), terms.renewMs);
  renewing.unref();
  try {
    await store.note((session) => beginSync(session, sourceId, now()));
    const result = await sync(AbortSignal.any([signal, lost.signal]));
    await finish(result);
    return result;
  } catch (error) {
    if (error instanceof LeaseLost) return undefined;
    // Not as one that was cut off, which would be begun again within a minute.
    if (!signal.aborted) await finish(unexpected).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewing);
    await store.note((session) => endLease(session, sourceId, holder)).catch(() => {});
  }
}
