import { TimeZone } from '../../../src/calendar.ts';

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The weekday of a moment in that time zone; undefined where the text is no moment. */
export function weekdayAt(moment: string, zone: string): number | undefined {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? undefined : weekdayOf(TimeZone.named(zone).dayAt(time / 1_000));
}

/** The hour of the day, 0 to 23, of a moment in that time zone; undefined where the text is no moment. */
export function hourAt(moment: string, zone: string): number | undefined {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? undefined : TimeZone.named(zone).hourAt(time / 1_000);
}
