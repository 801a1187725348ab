import { addDays, minuteOf, secondsOfDay, startOfBucket, type TimeZone } from '../calendar.ts';
import { Refusal } from '../refusal.ts';

const weekdays: readonly string[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** When a digest is due, by the clocks of the organisation. */
export interface DigestSchedule {
  readonly unit: 'day' | 'week' | 'month';
  /** Days after the first day of the week or the month. */
  readonly daysAfter: number;
  /** Minutes after midnight. */
  readonly minute: number;
}

/** Every month has so many days. */
const maxDayOfMonth = 28;

/** Reads `monday 08:00`, `day 08:00` or `month 1 08:00`. */
export function readSchedule(written: unknown): DigestSchedule {
  const words = typeof written === 'string' ? written.trim().toLowerCase().split(' ') : [];
  const minute = minuteOf(words.at(-1) ?? '');
  const [unit = '', day = ''] = words.slice(0, -1);
  const weekday = weekdays.indexOf(unit);
  if (minute !== undefined && words.length === 2 && unit === 'day') return { unit, daysAfter: 0, minute };
  if (minute !== undefined && words.length === 2 && weekday >= 0) return { unit: 'week', daysAfter: weekday, minute };
  const dayOfMonth = Number(day);
  const isDayOfMonth = Number.isInteger(dayOfMonth) && dayOfMonth >= 1 && dayOfMonth <= maxDayOfMonth;
  if (minute !== undefined && words.length === 3 && unit === 'month' && isDayOfMonth)
    return { unit, daysAfter: dayOfMonth - 1, minute };
  throw new Refusal(
    'bad-input',
    `every must be a day of the week and a time such as 'monday 08:00', 'day 08:00', or 'month 1 08:00' with a day from 1 to ${maxDayOfMonth}.`,
  );
}

/**
 * The last moment, in seconds, at which a digest was due. A time that the clocks skip is the moment at which they have
 * passed it; of a time that they show twice, it is the first.
 */
export function lastDue({ unit, daysAfter, minute }: DigestSchedule, now: number, zone: TimeZone): number {
  const dueIn = (first: string): number => zone.instantOf(secondsOfDay(addDays(first, daysAfter)) + minute * 60);
  const current = startOfBucket(unit, zone.dayAt(now));
  const due = dueIn(current);
  return due <= now ? due : dueIn(startOfBucket(unit, addDays(current, -1)));
}

/** The whole days that a digest without a board is about, and those that it compares them with. */
export interface DigestWindow {
  readonly start: string;
  readonly end: string;
  readonly previousStart: string;
  readonly previousEnd: string;
}

/** The last whole day, week or month before the day on which a digest is due. A day is compared with its weekday before. */
export function windowOfDigest({ unit }: DigestSchedule, dueDay: string): DigestWindow {
  const end = addDays(startOfBucket(unit, dueDay), -1);
  const start = startOfBucket(unit, end);
  const previousEnd = unit === 'day' ? addDays(end, -7) : addDays(start, -1);
  return { start, end, previousStart: startOfBucket(unit, previousEnd), previousEnd };
}
