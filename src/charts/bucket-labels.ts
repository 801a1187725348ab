import { addDays, type DateLevel, nextBucket } from '../calendar.ts';
import type { ChartCategory } from './chart-description.ts';
import type { TimeBucket } from './time-buckets.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const parts = (day: string): [number, string, number] => [
  Number(day.slice(8)),
  months[Number(day.slice(5, 7)) - 1] ?? '',
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
  if (level === 'week') return `week of ${withYear(bucket.name)}`;
  return level === 'day' ? withYear(bucket.start) : bucketLabel(bucket, level);
}

/** What there is of a bucket that is not whole: `so far`, `from 29 Oct`, `to 4 Nov`. Undefined of a whole one. */
export function partInWords(bucket: TimeBucket, level: DateLevel): string | undefined {
  const { name, start, end, isPartial, isUnfinished, isAhead } = bucket;
  if (isAhead) return 'no data yet';
  if (!isPartial) return undefined;
  const isCut = end < addDays(nextBucket(level, name), -1);
  return [
    ...(start > name ? [`from ${shownDay(start)}`] : []),
    ...(isUnfinished ? ['so far'] : isCut ? [`to ${shownDay(end)}`] : []),
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
    label: isUnderWay ? 'so far' : bucketLabel(bucket, level),
    name: bucketName(bucket, level),
    ...(part === undefined ? {} : { part }),
  };
}
