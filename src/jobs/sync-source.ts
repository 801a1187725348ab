import type { Clock } from '../sources/http/clock.ts';
import { type OpenSource, SourceProblem } from '../sources/source.ts';
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
  /** Of the source as a whole; those of streams are with the streams. */
  readonly problem?: { readonly message: string; readonly toDo: string };
}

/** Streams that are read at the same time: as many as requests may be under way at a host. */
const readersMost = 4;

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
  const [problem] = await settled([listing, ...Array.from({ length: readersMost }, read)]);
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
