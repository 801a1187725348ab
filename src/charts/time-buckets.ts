import { addDays, type DateLevel, nextBucket } from '../calendar.ts';
import { bucketsOf } from '../query/window.ts';

/** One bucket of a window, cut to it. */
export interface TimeBucket {
  /** Its first day, also where the window starts later: what the API names it by. */
  readonly name: string;
  readonly start: string;
  readonly end: string;
  /** Whether the window or today cuts it short, so that its numbers are not those of a whole one. */
  readonly isPartial: boolean;
}

export function timeBuckets(
  window: { readonly start: string; readonly end: string },
  level: DateLevel,
  today: string,
): TimeBucket[] {
  const days = { firstDay: window.start, lastDay: window.end, from: 0, until: 0 };
  return bucketsOf(days, level).map(({ name, firstDay, lastDay }) => {
    const isCut = firstDay > name || lastDay < addDays(nextBucket(level, name), -1);
    return { name, start: firstDay, end: lastDay, isPartial: isCut || lastDay >= today };
  });
}
