import { daysBetween, nextDay, secondsPerDay, type TimeZone } from '../calendar.ts';
import type { Cell } from './plan.ts';
import { alignedBuckets } from './previous-period.ts';
import type { Extent } from './question-port.ts';
import { comparedWith, type MetricRequest, type RequestedMetric, windowOf } from './request.ts';
import { type Bucket, isWholeDays, type Window } from './window.ts';

/** The windows of a change, as far as they decide whether it may be judged. */
interface JudgedWindows {
  readonly days: number;
  readonly previousDays: number;
  readonly isComplete: boolean;
  readonly isPreviousComplete: boolean;
  /** Whether the history reaches back over all of the earlier window. */
  readonly hasHistory: boolean;
}

/** The extent of complete data. */
type Reach = Pick<Extent, 'since' | 'through'>;
export type ReachOf = (asked: RequestedMetric) => Reach;
const unknown: Reach = { since: undefined, through: undefined };

/** After so long nothing more is expected to arrive, however long ago the last record was. */
const settledAfterDays = 3;

/** How far the data of each metric reach, and what an answer is kept under that depends on it. */
interface RequestedReach {
  readonly of: ReachOf;
  readonly key: readonly unknown[];
}

/** Undefined for a request that judges no change. */
export async function reachOfMetrics(
  { metrics, zone, showsVerdict }: Pick<MetricRequest, 'metrics' | 'zone' | 'showsVerdict'>,
  now: Date,
  extentOf: (asked: RequestedMetric) => Promise<Reach | undefined>,
): Promise<RequestedReach | undefined> {
  if (!showsVerdict) return undefined;
  const found = new Map<RequestedMetric, Reach>();
  for (const asked of metrics) found.set(asked, settled((await extentOf(asked)) ?? unknown, zone, now));
  const key = [...found.values()].map(({ since, through }) => [since ?? null, through ?? null]);
  return { of: (asked) => found.get(asked) ?? unknown, key };
}

/**
 * The windows that are complete now. Where nothing arrives they change by the day only, so that answers can be kept.
 */
function settled({ since, through }: Reach, zone: TimeZone, now: Date): Reach {
  const seconds = now.getTime() / 1_000;
  const longAgo = zone.startOf(zone.dayAt(seconds - settledAfterDays * secondsPerDay));
  return { since, through: through === undefined ? undefined : Math.min(Math.max(through, longAgo), seconds) };
}

/** Whether a window is over, and the data reach to its end or nothing more is expected. */
export function isCompleteAt({ until }: Window, through: number | undefined, now: Date): boolean {
  const over = now.getTime() / 1_000 - until;
  return over >= 0 && ((through !== undefined && until <= through) || over > settledAfterDays * secondsPerDay);
}

/** The two windows of a metric by bucket; null is the bucket of a question without buckets. Undefined without a counterpart. */
export function judgedWindows(
  asked: RequestedMetric,
  request: Pick<MetricRequest, 'window' | 'chosenBefore' | 'zone' | 'level'>,
  { since, through }: Reach,
): (bucket: Cell) => JudgedWindows | undefined {
  const { zone, level } = request;
  const window = windowOf(asked, request);
  if (!window) return () => undefined;
  const before = comparedWith(window, request);
  const pairs: [Cell, Window, Window | undefined][] = level
    ? alignedBuckets(window, before, level).map(({ bucket, previous }) => [
        bucket.name,
        within(window, bucket, zone),
        previous && within(before, previous, zone),
      ])
    : [[null, window, before]];
  const isComplete = ({ until }: Window) => through !== undefined && until <= through;
  const known = new Map(
    pairs.flatMap(([name, current, previous]): [Cell, JudgedWindows][] => {
      if (!previous) return [];
      const judged = {
        days: lengthOf(current, zone),
        previousDays: lengthOf(previous, zone),
        isComplete: isComplete(current),
        isPreviousComplete: isComplete(previous),
        hasHistory: since !== undefined && since <= previous.from,
      };
      return [[name, judged]];
    }),
  );
  return (bucket) => known.get(level ? bucket : null);
}

/** The part of a bucket inside a window between instants. */
export function within(window: Window, { firstDay, lastDay }: Bucket, zone: TimeZone): Window {
  const from = Math.max(window.from, zone.startOf(firstDay));
  return { firstDay, lastDay, from, until: Math.min(window.until, zone.startOf(nextDay(lastDay))) };
}

/** Days of the calendar, of which one in a year has 23 hours; of a window between instants parts of them. */
const lengthOf = (window: Window, zone: TimeZone): number =>
  isWholeDays(window, zone)
    ? daysBetween(window.firstDay, window.lastDay) + 1
    : (window.until - window.from) / secondsPerDay;
