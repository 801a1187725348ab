import { addDays, type DateLevel, nextBucket, TimeZone } from '../calendar.ts';
import { bucketsOf } from '../query/request-window.ts';
import type { ChartCategory } from './chart-description.ts';
import { drawnWords } from './drawn-words.ts';

/** How far data reach, in days of the organisation. */
export interface DayReach {
  /** The last day that is over and whose data are all there. */
  readonly lastWhole: string;
  /** The last day that has any data: part of it may be missing. */
  readonly lastBegun: string;
  /** The last day that nothing is waited for any more, whether its data came or not. */
  readonly lastSettled: string;
}

/** A bucket that ended more days ago than this counts as complete, as it does for verdicts. */
const maxDaysWaited = 3;

/** `through` is the moment up to which data are complete, in seconds; where nothing is known of them, it is now. */
export function dayReach(through: number | undefined, zone: string, today: string): DayReach {
  const yesterday = addDays(today, -1);
  if (through === undefined) return { lastWhole: yesterday, lastBegun: today, lastSettled: yesterday };
  const dayAt = (seconds: number): string => TimeZone.named(zone).dayAt(seconds);
  const lastWhole = earlier(addDays(dayAt(through), -1), yesterday);
  const settled = addDays(yesterday, -maxDaysWaited);
  return { lastWhole, lastBegun: dayAt(through - 1), lastSettled: settled > lastWhole ? settled : lastWhole };
}

/** How far the one of two reaches that does not reach as far. */
export const earlierReach = (one: DayReach, other: DayReach): DayReach => ({
  lastWhole: earlier(one.lastWhole, other.lastWhole),
  lastBegun: earlier(one.lastBegun, other.lastBegun),
  lastSettled: earlier(one.lastSettled, other.lastSettled),
});

const earlier = (day: string, other: string): string => (day < other ? day : other);

/** One bucket of a window, cut to it. */
export interface TimeBucket {
  /** The first day of the bucket, also where the window starts later: the API names the bucket by it. */
  readonly name: string;
  readonly start: string;
  readonly end: string;
  /** Whether its numbers are not those of a whole one: the window cuts it short, or it is unfinished. */
  readonly isPartial: boolean;
  /** Whether days of it are still to come, or their data. */
  readonly isUnfinished: boolean;
  /** Whether it begins after the last day that has data: that it has none says nothing. */
  readonly isAhead: boolean;
}

export function timeBuckets(
  window: { readonly start: string; readonly end: string },
  level: DateLevel,
  { lastWhole, lastBegun, lastSettled }: DayReach,
): TimeBucket[] {
  const days = { firstDay: window.start, lastDay: window.end, from: 0, until: 0 };
  return bucketsOf(days, level).map(({ name, firstDay, lastDay }) => {
    const whole = addDays(nextBucket(level, name), -1);
    const isUnfinished = whole > lastSettled && lastDay >= lastWhole;
    const isPartial = isUnfinished || firstDay > name || lastDay < whole;
    return { name, start: firstDay, end: lastDay, isPartial, isUnfinished, isAhead: firstDay > lastBegun };
  });
}

const parts = (day: string): [number, string, number] => [
  Number(day.slice(8)),
  drawnWords.months[Number(day.slice(5, 7)) - 1] ?? '',
  Number(day.slice(0, 4)),
];

/** `3 Nov`, with the year where it is not this one. */
export function shownDay(day: string, today?: string): string {
  const [date, month, year] = parts(day);
  return today === undefined || today.startsWith(String(year)) ? `${date} ${month}` : `${date} ${month} ${year}`;
}

/** A bucket as an axis names it. */
function bucketLabel({ name, start }: TimeBucket, level: string): string {
  const [, month, year] = parts(name);
  if (level === 'month') return `${month} ${String(year).slice(2)}`;
  if (level === 'quarter') return `Q${Math.ceil(Number(name.slice(5, 7)) / 3)} ${year}`;
  return level === 'year' ? String(year) : shownDay(level === 'week' ? name : start);
}

/** A bucket as a sentence names it, with its year. */
function bucketName(bucket: TimeBucket, level: string): string {
  const withYear = (day: string): string => `${shownDay(day)} ${day.slice(0, 4)}`;
  if (level === 'week') return drawnWords.weekOf(withYear(bucket.name));
  return level === 'day' ? withYear(bucket.start) : bucketLabel(bucket, level);
}

/** The known part of a bucket that is not whole: `so far`, `from 29 Oct`, `to 4 Nov`. Undefined for a whole bucket. */
export function partInWords(bucket: TimeBucket, level: DateLevel): string | undefined {
  const { name, start, end, isPartial, isUnfinished, isAhead } = bucket;
  if (isAhead) return drawnWords.noDataYet;
  if (!isPartial) return undefined;
  const isCut = end < addDays(nextBucket(level, name), -1);
  return [
    ...(start > name ? [drawnWords.from(shownDay(start))] : []),
    ...(isUnfinished ? [drawnWords.soFar] : isCut ? [drawnWords.to(shownDay(end))] : []),
  ].join(', ');
}

/** A bucket in a sentence, with what there is of it where it is not whole. */
export function bucketInWords(bucket: TimeBucket, level: DateLevel): string {
  const part = partInWords(bucket, level);
  return `${bucketName(bucket, level)}${part ? `, ${part}` : ''}`;
}

/** A bucket as a chart has it. The axis says of the one under way that there is more to come. */
export function bucketCategory(bucket: TimeBucket, level: DateLevel): ChartCategory {
  const part = partInWords(bucket, level);
  const isUnderWay = bucket.isUnfinished && !bucket.isAhead;
  return {
    label: isUnderWay ? drawnWords.soFar : bucketLabel(bucket, level),
    name: bucketName(bucket, level),
    ...(part === undefined ? {} : { part }),
    ...(bucket.start > bucket.name ? { isCutAtStart: true } : {}),
  };
}
