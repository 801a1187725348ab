import type { SeededRandom } from '../seeded-random.ts';
import type { Character } from './characters.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** How many pull requests in a hundred are opened in each hour of the day. */
const openings: Readonly<Record<Character['hours'], readonly number[]>> = {
  office: [0, 0, 0, 0, 0, 0, 0, 2, 5, 10, 13, 12, 8, 8, 12, 12, 9, 5, 2, 1, 1, 0.5, 0.3, 0.2],
  volunteers: [2, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 8, 6, 4, 3],
};
const slots = 2_048;

/** Spreads a number of pull requests over the days of a history, and over the hours of each day. */
export class Rhythm {
  readonly #calendar: WorkingCalendar;
  readonly #shares: Float64Array;
  /** What is planned for a day and the six after it. */
  readonly #weeks: Float64Array;
  readonly #hours: Uint8Array;
  readonly #random: SeededRandom;
  #owed = 0;

  constructor(calendar: WorkingCalendar, character: Character, total: number, random: SeededRandom) {
    this.#calendar = calendar;
    this.#random = random;
    this.#hours = spreadHours(openings[character.hours]);
    const weights = Float64Array.from({ length: calendar.days }, (_, day) => {
      const progress = day / Math.max(1, calendar.days - 1);
      return calendar.weightOf(day) * (1 + (character.growth - 1) * progress);
    });
    const sum = weights.reduce((all, weight) => all + weight, 0);
    const shares = weights.map((weight) => (weight * total) / sum);
    this.#shares = shares;
    this.#weeks = shares.map((_, day) => shares.subarray(day, day + 7).reduce((all, share) => all + share, 0));
  }

  /**
   * How many are opened on a day. Uneven from day to day, but what some days leave out the following make up for, each
   * in proportion to what is done on it: a Saturday must not inherit the rest of Friday.
   */
  countOn(day: number): number {
    const share = this.#shares[day] ?? 0;
    const week = this.#weeks[day] ?? 0;
    const correction = week > 0 ? Math.min(3, Math.max(0, 1 + this.#owed / week)) : 1;
    const wanted = share * correction * this.#random.between(0.65, 1.35);
    const whole = Math.floor(wanted);
    const count = whole + (this.#random.chance(wanted - whole) ? 1 : 0);
    this.#owed += share - count;
    return count;
  }

  /** Something opened that no day had planned, such as a revert, is taken off what the coming days owe. */
  countUnplanned(): void {
    this.#owed -= 1;
  }

  /** A moment of a day at which something is opened. */
  momentOn(day: number): number {
    const hour = this.#hours[Math.floor(this.#random.next() * slots)] ?? 12;
    return this.#calendar.startOf(day) + hour * 3_600 + Math.floor(this.#random.next() * 3_600);
  }
}

/** A table in which each hour stands as often as it is due: drawing from it is one look-up. */
function spreadHours(weights: readonly number[]): Uint8Array {
  const total = weights.reduce((all, weight) => all + weight, 0);
  const table = new Uint8Array(slots);
  let hour = 0;
  let reached = weights[0] ?? 0;
  for (let slot = 0; slot < slots; slot += 1) {
    while (((slot + 0.5) / slots) * total > reached && hour < 23) {
      hour += 1;
      reached += weights[hour] ?? 0;
    }
    table[slot] = hour;
  }
  return table;
}
