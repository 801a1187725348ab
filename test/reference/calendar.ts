/** Days and hours as the clocks of a zone tell them: slow, by asking the clock for every single instant. */
export type Level = 'day' | 'week' | 'month' | 'quarter' | 'year';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clocks show at an instant: `2024-03-10T02:30:00`. */
export function shownAt(zone: string, seconds: number): string {
  let clock = clocks.get(zone);
  if (!clock) {
    // The one locale whose own way of writing is that of ISO 8601.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(zone, clock);
  }
  return clock.format(seconds * 1_000).replace(' ', 'T');
}

export const dayAt = (zone: string, seconds: number): string => shownAt(zone, seconds).slice(0, 10);

const quarterHour = 900;

/** The first instant at which the clocks show a time or, where they skip it, the one at which they have passed it. */
export function instantShown(zone: string, shown: string): number {
  const asIfUtc = Date.parse(`${shown}Z`) / 1_000;
  const [earliest, latest] = [asIfUtc - 15 * 3_600, asIfUtc + 15 * 3_600];
  for (let at = earliest; at <= latest; at += quarterHour) if (shownAt(zone, at) === shown) return at;
  const wholeHour = Math.floor(earliest / quarterHour) * quarterHour;
  for (let at = wholeHour; at <= latest; at += quarterHour) if (shownAt(zone, at) > shown) return at;
  throw new Error(`${shown} is never shown in ${zone}`);
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** First and last day counted. */
export function daysFrom(first: string, last: string): number {
  let days = 1;
  for (let day = first; day < last; day = addDays(day, 1)) days += 1;
  return days;
}

/** The first day of the bucket that a day is in. */
export function bucketOf(level: Level, day: string): string {
  const [year = '', month = ''] = day.split('-');
  switch (level) {
    case 'day':
      return day;
    case 'week': {
      let monday = day;
      while (new Date(`${monday}T12:00:00Z`).getUTCDay() !== 1) monday = addDays(monday, -1);
      return monday;
    }
    case 'month':
      return `${year}-${month}-01`;
    case 'quarter':
      return `${year}-${['01', '04', '07', '10'][Math.floor((Number(month) - 1) / 3)]}-01`;
    case 'year':
      return `${year}-01-01`;
  }
}

/** Every bucket that some day from the first to the last is in. */
export function bucketsOf(level: Level, first: string, last: string): string[] {
  const buckets = new Set<string>();
  for (let day = first; day <= last; day = addDays(day, 1)) buckets.add(bucketOf(level, day));
  return [...buckets];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A bucket as a chart names it. */
export function labelOf(level: Level, bucket: string): string {
  const [year = '', month = ''] = bucket.split('-');
  switch (level) {
    case 'day':
    case 'week':
      return bucket;
    case 'month':
      return `${months[Number(month) - 1]} ${year}`;
    case 'quarter':
      return `Q${Math.floor((Number(month) + 2) / 3)} ${year}`;
    case 'year':
      return year;
  }
}
