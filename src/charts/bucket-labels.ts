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
export function bucketLabel({ name, start }: TimeBucket, level: string): string {
  const [, month, year] = parts(name);
  if (level === 'month') return `${month} ${String(year).slice(2)}`;
  if (level === 'quarter') return `Q${Math.ceil(Number(name.slice(5, 7)) / 3)} ${year}`;
  return level === 'year' ? String(year) : shownDay(level === 'week' ? name : start);
}

/** A bucket as a sentence names it, with its year. */
export function bucketName(bucket: TimeBucket, level: string): string {
  const withYear = (day: string): string => `${shownDay(day)} ${day.slice(0, 4)}`;
  if (level === 'week') return `week of ${withYear(bucket.name)}`;
  return level === 'day' ? withYear(bucket.start) : bucketLabel(bucket, level);
}
