const secondsPerDay = 86_400;
const secondsPerHour = 3_600;
/** Days that are remembered, more than sixty years of them. A record may name any day up to the year 9999. */
const daysMost = 25_000;
/** The last day that `YYYY-MM-DD` can name. */
const lastDay = Math.floor(Date.UTC(9999, 11, 31) / 1_000 / secondsPerDay);

/** How far the clocks of the zone are ahead of UTC during one UTC day. They change once in it at most. */
interface Clock {
  readonly before: number;
  /** The first second at which `after` holds. */
  readonly changesAt: number;
  readonly after: number;
}

/**
 * Days and hours as a time zone tells them. Derivation asks millions of times, and asking Intl takes microseconds, so
 * the distance from UTC is kept for each UTC day that was asked about.
 */
export class Calendar {
  readonly #zone: Intl.DateTimeFormat;
  readonly #clocks = new Map<number, Clock>();
  readonly #offsets = new Map<number, number>();
  readonly #names = new Map<number, string>();

  constructor(timeZone: string) {
    this.#zone = new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** The day, `YYYY-MM-DD`. */
  dayOf(seconds: number): string {
    const day = Math.min(Math.floor(this.#local(seconds) / secondsPerDay), lastDay);
    const known = this.#names.get(day);
    if (known !== undefined) return known;
    const name = new Date(day * secondsPerDay * 1_000).toISOString().slice(0, 10);
    remember(this.#names, day, name);
    return name;
  }

  /** The hour of the day, 0 to 23. */
  hourOf(seconds: number): number {
    const local = this.#local(seconds);
    const sinceMidnight = local - Math.floor(local / secondsPerDay) * secondsPerDay;
    return Math.floor(sinceMidnight / secondsPerHour);
  }

  /** The calendar quarter, counted: year × 4 + 0 to 3, so that the quarter before is one less. */
  quarterOf(seconds: number): number {
    const day = this.dayOf(seconds);
    return Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
  }

  /** The wall clock, as seconds since it showed the beginning of 1970. */
  #local(seconds: number): number {
    const { before, changesAt, after } = this.#clockOn(Math.floor(seconds / secondsPerDay));
    return seconds + (seconds < changesAt ? before : after);
  }

  #clockOn(utcDay: number): Clock {
    const known = this.#clocks.get(utcDay);
    if (known) return known;
    const [begins, ends] = [utcDay * secondsPerDay, (utcDay + 1) * secondsPerDay];
    const [before, after] = [this.#offsetAtDay(utcDay), this.#offsetAtDay(utcDay + 1)];
    const clock = { before, changesAt: before === after ? ends : this.#changeBetween(begins, ends, before), after };
    remember(this.#clocks, utcDay, clock);
    return clock;
  }

  /** Clocks do not only change on the hour: Newfoundland's did at one minute past midnight until 2011. */
  #changeBetween(begins: number, ends: number, before: number): number {
    let [same, changed] = [begins, ends];
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (this.#askOffset(middle) === before) same = middle;
      else changed = middle;
    }
    return changed;
  }

  #offsetAtDay(utcDay: number): number {
    const known = this.#offsets.get(utcDay);
    if (known !== undefined) return known;
    const offset = this.#askOffset(utcDay * secondsPerDay);
    remember(this.#offsets, utcDay, offset);
    return offset;
  }

  /** How many days are remembered, of whichever most are. */
  get remembered(): number {
    return Math.max(this.#clocks.size, this.#offsets.size, this.#names.size);
  }

  /** To the second: Liberia was 44 minutes and 30 seconds behind until 1972. */
  #askOffset(seconds: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#zone.formatToParts(seconds * 1_000)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - seconds;
  }
}

/** Forgetting everything at once is as good as anything cleverer: it happens to nobody whose times are plausible. */
function remember<V>(known: Map<number, V>, day: number, value: V): void {
  if (known.size >= daysMost) known.clear();
  known.set(day, value);
}
