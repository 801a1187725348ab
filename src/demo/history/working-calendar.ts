import { firstIndexWhere } from '../../binary-search.ts';
import { dayNumber, dayOfNumber, isoText, msPerDay, secondsPerDay, TimeZone } from '../../calendar.ts';
import type { Country, OrganisationProfile } from '../organisation-profile.ts';

export const minute = 60;
export const hour = 3_600;

export const isoTextOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoText(seconds));

/** Days known before the first day, for work that began earlier, and after the last, for what ends later. */
const marginDays = 200;
/** Beginning and end of the two stretches of a working day, in hours. */
const workingHours = { office: [9, 12.5, 13.25, 18], volunteers: [8, 12.5, 13.5, 22] } as const;
const weekdayWeights = [0.95, 1.1, 1.1, 1.05, 0.8];
const holidayWeight = 0.07;
/** Of a week without holidays. */
export const weightOfWeek = (weekend: number): number =>
  weekdayWeights.reduce((sum, weight) => sum + weight, 2 * weekend);

/** The last place in a rising list whose value is at most `value`; -1 when there is none. */
export const lastAtMost = (rising: readonly number[], value: number): number =>
  firstIndexWhere(0, rising.length, (index) => (rising[index] ?? 0) > value) - 1;

/**
 * Days and working hours in the time zone of an organisation, from one day up to another. Days are counted from the first
 * of January 1970, moments are whole seconds since then, UTC.
 */
export class WorkingCalendar {
  readonly #firstKnown: number;
  readonly #starts: number[] = [];
  readonly #weights: number[] = [];
  readonly #isWorking: boolean[] = [];
  /** Every stretch of working time: when it begins, and the working time before it. */
  readonly #stretches: number[] = [];
  readonly #worked: number[] = [];

  readonly startOf = (day: number): number => this.#starts[day - this.#firstKnown] ?? 0;
  readonly dayOf = (at: number): number => lastAtMost(this.#starts, at) + this.#firstKnown;
  readonly isWorkingDay = (day: number): boolean => this.#isWorking[day - this.#firstKnown] ?? false;
  /** How much is done on a day, against an ordinary working day. */
  readonly weightOf = (day: number): number => this.#weights[day - this.#firstKnown] ?? 0;

  constructor(profile: OrganisationProfile, from: number, to: number) {
    const { timeZone, country, activity, seasons } = profile;
    this.#firstKnown = from - marginDays;
    const end = to + marginDays;
    const zone = TimeZone.named(timeZone);
    const [firstYear, lastYear] = [yearOf(this.#firstKnown), yearOf(end)];
    const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
    const holidays = new Set(years.flatMap((year) => publicHolidays(country, year)));
    const [morning, noon, afternoon, evening] = workingHours[activity.hours];
    let offset = 0;
    let worked = 0;
    for (let day = this.#firstKnown; day <= end; day += 1) {
      // The offset of noon holds for the hours in which people work: clocks change at night.
      offset = zone.offsetAt(day * secondsPerDay + secondsPerDay / 2 - offset);
      const start = day * secondsPerDay - offset;
      const date = dayOfNumber(day);
      const monthAndDay = date.slice(5);
      const isHoliday = holidays.has(date);
      const weekdayWeight = weekdayWeights[weekdayOf(day)];
      let weight = (weekdayWeight ?? activity.weekend) * (isHoliday ? holidayWeight : 1);
      for (const [span, factor] of Object.entries(seasons)) {
        if (span.slice(0, 5) <= monthAndDay && monthAndDay <= span.slice(6)) weight *= factor;
      }
      const isWorking = weekdayWeight !== undefined && !isHoliday;
      this.#starts.push(start);
      this.#weights.push(weight);
      this.#isWorking.push(isWorking);
      if (!isWorking) continue;
      this.#stretches.push(start + morning * hour, start + afternoon * hour);
      this.#worked.push(worked, worked + (noon - morning) * hour);
      worked += (noon - morning + evening - afternoon) * hour;
    }
  }

  /** When an amount of working time after a moment has passed, for somebody whose day begins `phase` seconds later. */
  later(at: number, workSeconds: number, phase: number): number {
    const target = this.#workedBy(at - phase) + workSeconds;
    // A day ends at its evening, not on the next morning.
    return Math.max(at, Math.round(this.#momentOf(target, target - 1e-6) + phase));
  }

  earlier(at: number, workSeconds: number, phase: number): number {
    const target = this.#workedBy(at - phase) - workSeconds;
    return target < 0 ? this.startOf(this.#firstKnown) : Math.round(this.#momentOf(target, target) + phase);
  }

  /** The working time between the first known day and a moment. */
  #workedBy(at: number): number {
    const stretch = Math.max(0, lastAtMost(this.#stretches, at));
    const before = (this.#worked[stretch] ?? 0) + Math.max(0, at - (this.#stretches[stretch] ?? 0));
    return Math.min(before, this.#worked[stretch + 1] ?? before);
  }

  /** The moment by which an amount of working time has passed, in the stretch in which `within` of it has. */
  #momentOf(worked: number, within: number): number {
    const stretch = Math.max(0, lastAtMost(this.#worked, within));
    return (this.#stretches[stretch] ?? 0) + worked - (this.#worked[stretch] ?? 0);
  }
}

/** Monday is 0; the first of January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (day + 3) % 7;
/** Weeks are counted from the one with the first of January 1970. */
export const weekOf = (day: number): number => Math.floor((day + 3) / 7);
const yearOf = (day: number): number => Number(dayOfNumber(day).slice(0, 4));

/** Days that follow the moon are proclaimed year by year; these are those of 2023 to 2031. */
const moonDays = {
  holiAndDiwali: `2023-03-08 2023-11-12 2024-03-25 2024-11-01 2025-03-14 2025-10-20 2026-03-04 2026-11-08 2027-03-22
    2027-10-29 2028-03-11 2028-10-17 2029-03-01 2029-11-05 2030-03-20 2030-10-26 2031-03-09 2031-11-14`,
  matariki: `2023-07-14 2024-06-28 2025-06-20 2026-07-10 2027-06-25 2028-07-14 2029-07-06 2030-06-21 2031-07-11`,
} as const;

/** Days as MM-DD; days after Easter Sunday; Mondays of a month, the first as 1 and the last as 0; days by the moon. */
const holidays: Readonly<Record<Country, readonly [string, string?, string?, (keyof typeof moonDays)?]>> = {
  GB: ['01-01 12-25 12-26', '-2 1', '5/1 5/0 8/0'],
  CA: ['01-01 06-24 07-01 12-25 12-26', '-2 1', '5/3 9/1 10/2'],
  EE: ['01-01 02-24 05-01 06-23 06-24 08-20 12-24 12-25 12-26', '-2'],
  IN: ['01-26 08-15 10-02 12-25', '', '', 'holiAndDiwali'],
  NZ: ['01-01 01-02 02-06 04-25 12-25 12-26', '-2 1', '6/1 10/4', 'matariki'],
  everywhere: ['01-01 12-25'],
};

/** The public holidays of a year, as YYYY-MM-DD. */
export function publicHolidays(country: Country, year: number): string[] {
  const [fixed, easter = '', mondays = '', moon] = holidays[country];
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  const sunday = dayNumber(easterSunday(year));
  return [
    ...words(fixed).map((day) => `${year}-${day}`),
    ...words(easter).map((offset) => dayOfNumber(sunday + Number(offset))),
    ...words(mondays).map((monday) => mondayOf(year, ...(monday.split('/').map(Number) as [number, number]))),
    ...words(moon ? moonDays[moon] : '').filter((date) => date.startsWith(`${year}`)),
  ];
}

function mondayOf(year: number, month: number, which: number): string {
  const first = Date.UTC(year, which === 0 ? month : month - 1, 1);
  const weeks = which === 0 ? -1 : which - 1;
  return dayOfNumber(first / msPerDay + ((8 - new Date(first).getUTCDay()) % 7) + 7 * weeks);
}

/** The Gregorian rule as Meeus, Jones and Butcher wrote it down. */
function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return dayOfNumber(Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) / msPerDay);
}
