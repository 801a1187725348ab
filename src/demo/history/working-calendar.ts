import { TimeZone } from '../../calendar.ts';
import type { Character } from './characters.ts';
import { dayText } from './clock-text.ts';
import { publicHolidays } from './holidays.ts';

const daySeconds = 86_400;
/** Days known before the first day, for work that began earlier, and after the last, for waiting that never ended. */
const marginDays = 130;

/** Two stretches of a working day, in seconds since midnight. */
const workingHours = {
  office: { from: 9 * 3_600, noon: 12.5 * 3_600, again: 13.25 * 3_600, to: 18 * 3_600 },
  volunteers: { from: 8 * 3_600, noon: 12.5 * 3_600, again: 13.5 * 3_600, to: 22 * 3_600 },
} as const;

/** On a public holiday somebody always works, but not many. */
const holidayWeight = 0.07;
/** Sunday first, as JavaScript counts. What stands for the weekend is the organisation's own. */
const weekdayWeights = [0, 0.95, 1.1, 1.1, 1.05, 0.8, 0] as const;

/** The first of the days that two years end with. */
function firstDayOf(until: string, days: number): number {
  const last = Date.parse(`${until}T00:00:00Z`) / (daySeconds * 1_000);
  if (!Number.isInteger(last)) throw new RangeError(`The last day must be a date such as 2025-12-31, not ${until}`);
  return last - days + 1;
}

/**
 * The days of a history in the time zone of its organisation, numbered from 0: how much is done on each, and how
 * working time passes. Moments are whole seconds since 1970, UTC.
 */
export class WorkingCalendar {
  readonly days: number;
  /** The moment after the last day: what would happen from here on has not happened yet. */
  readonly endAt: number;
  readonly #firstDay: number;
  readonly #starts: Float64Array;
  readonly #isWorking: Uint8Array;
  readonly #weights: Float64Array;
  readonly #hours: (typeof workingHours)[Character['hours']];

  constructor(timeZone: string, character: Character, until: string, days: number) {
    this.days = days;
    this.#hours = workingHours[character.hours];
    this.#firstDay = firstDayOf(until, days);
    const known = days + 2 * marginDays;
    this.#starts = new Float64Array(known + 1);
    this.#isWorking = new Uint8Array(known);
    this.#weights = new Float64Array(known);
    const zone = TimeZone.named(timeZone);
    const isHoliday = holidayTest(character);
    let offset = 0;
    for (let index = 0; index <= known; index += 1) {
      const day = this.#firstDay - marginDays + index;
      const midnight = day * daySeconds;
      // The offset of noon holds for the hours in which people work: clocks change at night.
      offset = zone.offsetAt(midnight + daySeconds / 2 - offset);
      this.#starts[index] = midnight - offset;
      if (index === known) break;
      const date = dayText(day);
      const weekday = weekdayOf(day);
      const isWeekend = weekday === 0 || weekday === 6;
      const holiday = isHoliday(date);
      this.#isWorking[index] = isWeekend || holiday ? 0 : 1;
      const base = isWeekend ? character.weekend : (weekdayWeights[weekday] ?? 0);
      this.#weights[index] = base * (holiday ? holidayWeight : 1) * seasonWeight(character, date.slice(5));
    }
    this.endAt = this.startOf(days);
  }

  /** The moment a day begins. */
  startOf(day: number): number {
    return this.#starts[day + marginDays] ?? 0;
  }

  dateOf(day: number): string {
    return dayText(this.#firstDay + day);
  }

  /** The number of a date, which may lie outside the history. */
  dayOfDate(date: string): number {
    return Date.parse(`${date}T00:00:00Z`) / (daySeconds * 1_000) - this.#firstDay;
  }

  /** Sunday is 0. */
  weekdayOf(day: number): number {
    return weekdayOf(this.#firstDay + day);
  }

  isWorkingDay(day: number): boolean {
    return this.#isWorking[day + marginDays] === 1;
  }

  /** How much is done on a day, against an ordinary working day. */
  weightOf(day: number): number {
    return this.#weights[day + marginDays] ?? 0;
  }

  dayOf(at: number): number {
    return this.#indexOf(at) - marginDays;
  }

  /** When an amount of working time after a moment has passed, for somebody whose day begins so much later than others'. */
  later(at: number, workSeconds: number, phase: number): number {
    const { from, noon, again, to } = this.#hours;
    let left = workSeconds;
    const known = this.#isWorking.length;
    for (let index = this.#indexOf(at - phase); index < known; index += 1) {
      if (this.#isWorking[index] === 0) continue;
      const start = (this.#starts[index] ?? 0) + phase;
      const morning = Math.max(at, start + from);
      const beforeNoon = start + noon - morning;
      if (beforeNoon > 0) {
        if (left <= beforeNoon) return Math.round(morning + left);
        left -= beforeNoon;
      }
      const afternoon = Math.max(at, start + again);
      const beforeEvening = start + to - afternoon;
      if (beforeEvening > 0) {
        if (left <= beforeEvening) return Math.round(afternoon + left);
        left -= beforeEvening;
      }
    }
    return Math.round(Math.max(at, this.#starts[known] ?? 0) + left);
  }

  /** The reverse of later. */
  earlier(at: number, workSeconds: number, phase: number): number {
    const { from, noon, again, to } = this.#hours;
    let left = workSeconds;
    for (let index = this.#indexOf(at - phase); index >= 0; index -= 1) {
      if (this.#isWorking[index] === 0) continue;
      const start = (this.#starts[index] ?? 0) + phase;
      const evening = Math.min(at, start + to);
      const afterNoon = evening - start - again;
      if (afterNoon > 0) {
        if (left <= afterNoon) return Math.round(evening - left);
        left -= afterNoon;
      }
      const midday = Math.min(at, start + noon);
      const inTheMorning = midday - start - from;
      if (inTheMorning > 0) {
        if (left <= inTheMorning) return Math.round(midday - left);
        left -= inTheMorning;
      }
    }
    return this.#starts[0] ?? 0;
  }

  #indexOf(at: number): number {
    const guess = Math.floor((at - (this.#starts[0] ?? 0)) / daySeconds);
    if (guess < 0) return 0;
    if (guess >= this.#isWorking.length) return this.#isWorking.length;
    // A day on which clocks change is an hour shorter or longer than the guess takes it for.
    if (at < (this.#starts[guess] ?? 0)) return guess - 1;
    return at >= (this.#starts[guess + 1] ?? Number.POSITIVE_INFINITY) ? guess + 1 : guess;
  }
}

/** The first day of 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

function seasonWeight({ seasons }: Character, monthAndDay: string): number {
  let weight = 1;
  for (const season of seasons) {
    if (season.from <= monthAndDay && monthAndDay <= season.to) weight *= season.weight;
  }
  return weight;
}

function holidayTest({ country }: Character): (date: string) => boolean {
  const years = new Map<string, ReadonlySet<string>>();
  return (date) => {
    const year = date.slice(0, 4);
    const known = years.get(year) ?? publicHolidays(country, Number(year));
    years.set(year, known);
    return known.has(date);
  };
}
