/** Days of a place, reckoned by its clocks alone: `Intl` says what day it is at a moment, and nothing else is asked. */

export interface Days {
  readonly start: string;
  readonly end: string;
}

const msPerDay = 86_400_000;
const msPerMinute = 60_000;

const clocks = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, string>();
const beginnings = new Map<string, number>();

/** The day that it is somewhere at a moment, which is a time or a day itself. */
export function dayOf(moment: string, zone: string): string {
  if (moment.length === 10) return moment;
  const key = `${moment} ${zone}`;
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  clocks.set(zone, clock);
  const day = days.get(key) ?? clock.format(new Date(moment));
  days.set(key, day);
  return day;
}

/** The first moment of a day, looked for among all quarters of an hour that it may be. */
export function beginningOf(day: string, zone: string): number {
  const key = `${day} ${zone}`;
  let moment = beginnings.get(key) ?? Date.parse(day) - msPerDay;
  while (dayOf(new Date(moment).toISOString(), zone) !== day) moment += 15 * msPerMinute;
  beginnings.set(key, moment);
  return moment;
}

export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10);

export const lengthOf = ({ start, end }: Days): number => (Date.parse(end) - Date.parse(start)) / msPerDay + 1;

/** The last of some days, and as many before them. */
export const daysUpTo = (end: string, days: number): Days => ({ start: daysLater(end, 1 - days), end });
export const daysBefore = (days: Days): Days => daysUpTo(daysLater(days.start, -1), lengthOf(days));

/** The last day that is over and has all its data, where they are complete up to a moment. */
export function lastWholeDay(through: string | undefined, zone: string, now: string): string {
  const yesterday = daysLater(dayOf(now, zone), -1);
  if (through === undefined) return yesterday;
  const last = daysLater(dayOf(through, zone), -1);
  return last < yesterday ? last : yesterday;
}
