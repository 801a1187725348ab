import { hour } from './clock-text.ts';
import type { DemoWorld } from './world.ts';

/** How many pull requests in a hundred are opened in each hour of the day. */
const openings = {
  office: [0, 0, 0, 0, 0, 0, 0, 2, 5, 10, 13, 12, 8, 8, 12, 12, 9, 5, 2, 1, 1, 0.5, 0.3, 0.2],
  volunteers: [2, 1, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 8, 6, 4, 3],
} as const;
const hours = Array.from({ length: 24 }, (_, index) => index);

/** Spreads a number of pull requests over the days of a history, and over the hours of each day. */
export class ActivityCurve {
  readonly #shares: Float64Array;
  #owed = 0;

  constructor(private readonly world: DemoWorld) {
    const { days } = world.calendar;
    const { pullRequests, growth } = world.profile.activity;
    const weightOf = (day: number) => world.calendar.weightOf(day) * (1 + ((growth - 1) * day) / days);
    const weights = Float64Array.from({ length: days }, (_, day) => weightOf(day));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    this.#shares = weights.map((weight) => (weight * pullRequests * world.scale) / sum);
  }

  /**
   * The moments of a day at which pull requests are opened, besides the unplanned ones. Days are uneven, and later days
   * make up for it in proportion to their own work: a Saturday must not inherit the rest of Friday.
   */
  momentsOn(day: number, unplanned: number): Float64Array {
    const { random, calendar, profile } = this.world;
    this.#owed -= unplanned;
    const share = this.#shares[day] ?? 0;
    const week = this.#shares.subarray(day, day + 7).reduce((all, each) => all + each, 0);
    const wanted = share * Math.min(3, Math.max(0, 1 + this.#owed / week)) * random.between(0.65, 1.35);
    const count = Math.floor(wanted + random.next());
    this.#owed += share - count;
    const moment = () =>
      random.pickWeighted(hours, (at) => openings[profile.activity.hours][at] ?? 0) * hour +
      random.integer(0, hour - 1);
    return Float64Array.from({ length: count }, () => calendar.startOf(day) + moment()).sort();
  }
}
