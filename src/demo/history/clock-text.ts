import { msPerDay, secondsPerDay } from '../../calendar.ts';

export const minute = 60;
export const hour = 3_600;

/** Seconds of a day as text. Millions of timestamps are written from these few texts. */
const clocks: string[] = [];
const days = new Map<number, string>();

/** The day of a number of days since 1970, as YYYY-MM-DD. */
export function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  days.set(day, new Date(day * msPerDay).toISOString().slice(0, 10));
  return dayText(day);
}

function clockText(second: number): string {
  clocks[second] ??= `${new Date(second * 1_000).toISOString().slice(10, 19)}Z`;
  return clocks[second];
}

/** A moment in whole seconds since 1970, as ISO 8601 in UTC. */
export function isoText(seconds: number): string {
  const day = Math.floor(seconds / secondsPerDay);
  return dayText(day) + clockText(seconds - day * secondsPerDay);
}

export const isoTextOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoText(seconds));
