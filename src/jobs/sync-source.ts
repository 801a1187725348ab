import type { Clock } from '../sources/http/clock.ts';
import { type OpenSource, SourceProblem } from '../sources/source.ts';
import { beginSync, endLease, finishSync, type LastStart, takeLease } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';
import { StreamQueue } from './stream-queue.ts';
import { StreamReading, type StreamReadingParts } from './stream-reading.ts';
import type { ProgressOfSync } from './sync-progress.ts';

interface SyncParts extends Omit<StreamReadingParts, 'clock' | 'random'> {
  readonly source: Pick<OpenSource, 'streams'>;
  readonly progress: ProgressOfSync;
  readonly clock: Clock;
  readonly random?: () => number;
}

export interface SyncResult {
  /** `partial`: some streams failed, and are tried again with the next sync. */
  readonly outcome: 'complete' | 'partial' | 'failed';
  /** The error of the source as a whole; those of streams are with the streams. */
  readonly problem?: { readonly message: string; readonly toDo: string };
}

/** Streams that are read at the same time: as many as requests may be under way at a host. */
const maxReaders = 4;

/**
 * Reads a source once.
 *
 *     streams ─▸ queue ─▸ read a page or some ─▸ store their rows ─▸ remember how far ─▸ queue …
 *
 * A stream that fails stops no other one. Whatever ends it early, the next sync goes on where this one was.
 */
export async function syncSource(parts: SyncParts): Promise<SyncResult> {
  const { source, states, progress, signal } = parts;
  const reading: StreamReadingParts = { ...parts, random: parts.random ?? Math.random };
  const queue = new StreamQueue<StreamReading>();
  const stored = new Map((await states.load()).map((stream) => [stream.id, stream]));
  const unlisted = new Set([...stored.values()].flatMap(({ id, error }) => (error === undefined ? [] : [id])));
  let [succeeded, failed] = [0, 0];

  const list = async (): Promise<SyncResult['problem']> => {
    try {
      for await (const stream of source.streams()) {
        const one = new StreamReading(reading, stream, stored.get(stream.id));
        unlisted.delete(stream.id);
        progress.follow(one);
        queue.add(one, stream.scope, one.urgency);
        signal.throwIfAborted();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceProblem) return { message: error.message, toDo: error.toDo };
      parts.onError(error);
      return { message: 'Listing what there is to read failed in an unexpected way', toDo: 'The log says more.' };
    } finally {
      queue.end();
    }
    return undefined;
  };

  const read = async (): Promise<void> => {
    for (let next = await queue.take(); next; next = await queue.take()) {
      const { item } = next;
      let goesOn = false;
      try {
        signal.throwIfAborted();
        progress.begin(item);
        goesOn = await item.readOn();
        if (!goesOn && item.hasFailed) failed += 1;
        else if (!goesOn) succeeded += 1;
        progress.note(item, { isOver: !goesOn });
      } finally {
        if (goesOn) queue.addAgain(next, item.urgency);
        else queue.end();
      }
    }
  };

  progress.setPhase('listing');
  const listing = list().finally(() => progress.setPhase('reading'));
  const [problem] = await settled([listing, ...Array.from({ length: maxReaders }, read)]);
  signal.throwIfAborted();
  if (problem === undefined && unlisted.size > 0) await states.forgetErrors([...unlisted]);
  const hasFailed = failed > 0 || problem !== undefined;
  const outcome = hasFailed ? (succeeded > 0 ? 'partial' : 'failed') : 'complete';
  progress.setPhase(outcome, problem);
  return { outcome, ...(problem ? { problem } : {}) };
}

/** Waits for all of them, so that nothing is under way any more when the first failure is reported. */
async function settled<T>(all: readonly [Promise<T>, ...Promise<void>[]]): Promise<[T]> {
  const results = await Promise.allSettled(all);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return [(results[0] as PromiseFulfilledResult<T>).value];
}

/** How long a sync is a process's own without being renewed, and how often it is renewed. */
export interface SyncLeaseTerms {
  readonly leaseMs: number;
  readonly renewMs: number;
}

export const defaultSyncLease: SyncLeaseTerms = { leaseMs: 90_000, renewMs: 20_000 };

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
  { store, sourceId, holder, signal, now, terms = defaultSyncLease, lastStart }: LeasedSync,
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
