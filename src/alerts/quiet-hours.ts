import { isWeekday, secondsPerDay, type TimeZone } from '../calendar.ts';

/** Hours of the day, and whole weekends, in which no message is sent. */
export interface QuietHours {
  /** Minutes since midnight. Undefined where only weekends are quiet. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly weekends: boolean;
}

/** Whether messages wait at a moment, by the clocks of the organisation. */
export function isQuiet(quiet: QuietHours | undefined, seconds: number, zone: TimeZone): boolean {
  if (!quiet) return false;
  if (quiet.weekends && !isWeekday(zone.dayAt(seconds))) return true;
  const { from, until } = quiet;
  if (from === undefined || until === undefined) return false;
  const shown = seconds + zone.offsetAt(seconds);
  const minute = Math.floor((shown - Math.floor(shown / secondsPerDay) * secondsPerDay) / 60);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}
