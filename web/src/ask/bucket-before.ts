import { addDays, startOfBucket } from '../../../src/calendar.ts';
import type { View } from './view.ts';
import type { PanelState } from './view-state.ts';
import { type DayWindow, timeBuckets } from './windows.ts';

/**
 * The bucket before the one that a panel is of, also where it lies before the range of the page. Undefined where the
 * panel is of no whole bucket: a week under way is not compared with a whole one.
 */
export function bucketBefore(view: View, { metric, window }: PanelState): DayWindow | undefined {
  if (!window) return undefined;
  const buckets = timeBuckets(view.windowFor(metric), view.level, view.reachFor(metric));
  const bucket = buckets.find(({ start, end }) => start === window.start && end === window.end);
  if (!bucket || bucket.isPartial) return undefined;
  const end = addDays(bucket.start, -1);
  return { start: startOfBucket(view.level, end), end };
}
