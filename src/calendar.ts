import { firstIndexWhere } from './binary-search.ts';

export const secondsPerDay = 86_400;
export const msPerDay = secondsPerDay * 1_000;
const secondsPerHour = 3_600;
/** Days that are remembered, more than sixty years of them. A record may name any day up to the year 9999. */
const maxDays = 25_000;
/** The last day that `YYYY-MM-DD` can name. */
const lastDay = Math.floor(Date.UTC(9999, 11, 31) / msPerDay);

export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / msPerDay;
export const dayOfNumber = (number: number): string => new Date(number * msPerDay).toISOString().slice(0, 10);
/** Whether a text is a day, `YYYY-MM-DD`. The thirty-first of February is a date to JavaScript, the third of March. */
export function isDay(text: string): boolean {
  const number = dayNumber(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(number) && dayOfNumber(number) === text;
}
/** The day, in UTC, at a moment. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);
/** The first second of a day, in UTC. */
export const secondsOfDay = (day: string): number => dayNumber(day) * secondsPerDay;
/** Minutes after midnight of `08:00`; undefined where it is no time of day. */
export function minuteOf(text: string): number | undefined {
  const [hours = '', minutes = '', ...others] = text.split(':');
  const isTime = hours.length === 2 && minutes.length === 2 && others.length === 0;
  const [hour, minute] = [Number(hours), Number(minutes)];
  const isWithin = Number.isInteger(hour) && Number.isInteger(minute) && hour >= 0 && hour < 24 && minute < 60;
  return isTime && isWithin && minute >= 0 ? hour * 60 + minute : undefined;
}

/** A moment in seconds since 1970 as ISO 8601 in UTC, to the second: parts of one are cut off. */
export const isoText = (seconds: number): string =>
  `${new Date(Math.floor(seconds) * 1_000).toISOString().slice(0, -'.000Z'.length)}Z`;

export const daysBetween = (first: string, last: string): number => dayNumber(last) - dayNumber(first);
export const addDays = (day: string, days: number): string => dayOfNumber(dayNumber(day) + days);
export const nextDay = (day: string): string => addDays(day, 1);
/** From Monday to Friday. Day 0, the first of January 1970, was a Thursday. */
export const isWeekday = (day: string): boolean => (((dayNumber(day) + 3) % 7) + 7) % 7 < 5;

export const isFirstOfMonth = (day: string): boolean => day.endsWith('-01');
export const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** The first day of another month, counted from the first day of a month. */
export function addMonths(first: string, months: number): string {
  const month = monthNumber(first) + months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

export const dateLevels = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type DateLevel = (typeof dateLevels)[number];

/** The first day of the bucket that a day is in. Weeks start on Monday. */
export function startOfBucket(level: DateLevel, day: string): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  switch (level) {
    case 'day':
      return day;
    case 'week':
      // Day 0, the first of January 1970, was a Thursday.
      return addDays(day, -((((dayNumber(day) + 3) % 7) + 7) % 7));
    case 'month':
      return `${day.slice(0, 7)}-01`;
    case 'quarter':
      return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
    case 'year':
      return `${year}-01-01`;
  }
}

/** The first day of the bucket after the one that begins on a day. */
export function nextBucket(level: DateLevel, day: string): string {
  switch (level) {
    case 'day':
      return addDays(day, 1);
    case 'week':
      return addDays(day, 7);
    case 'month':
      return startOfBucket('month', addDays(day, 31));
    case 'quarter':
      return startOfBucket('month', addDays(day, 93));
    case 'year':
      return startOfBucket('year', addDays(day, 366));
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A bucket as a chart names it. */
export function labelOf(level: DateLevel, day: string): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  switch (level) {
    case 'month':
      return `${months[month - 1]} ${year}`;
    case 'quarter':
      return `Q${Math.ceil(month / 3)} ${year}`;
    case 'year':
      return year;
    default:
      return day;
  }
}

/** A stretch of time in which the clocks of a zone keep the same distance from UTC. */
export interface ClockPiece {
  /** The first second of it. */
  readonly from: number;
  /** Seconds that the clocks are ahead of UTC. */
  readonly offset: number;
}

/** How far the clocks of a zone are ahead of UTC during one UTC day. They change once in it at most. */
interface DayOffsets {
  readonly before: number;
  /** The first second at which `after` holds. */
  readonly changesAt: number;
  readonly after: number;
}

const zones = new Map<string, TimeZone>();

/**
 * Days and hours by the clocks of a zone. Asking Intl takes microseconds, and deriving asks millions of times, so the
 * distance from UTC is kept for each UTC day that was asked about.
 */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  readonly #isUtc: boolean;
  readonly #clocks = new Map<number, DayOffsets>();
  readonly #offsets = new Map<number, number>();
  readonly #names = new Map<number, string>();
  /** Changes of the clocks by year. */
  readonly #years = new Map<number, readonly ClockPiece[]>();

  private constructor(name: string) {
    this.#isUtc = name === 'UTC';
    this.#format = new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** Callers who ask for one zone share one object. */
  static named(name: string): TimeZone {
    const known = zones.get(name) ?? new TimeZone(name);
    zones.set(name, known);
    return known;
  }

  /** The day, `YYYY-MM-DD`, at an instant. */
  dayAt(seconds: number): string {
    const day = Math.min(Math.floor((seconds + this.offsetAt(seconds)) / secondsPerDay), lastDay);
    const known = this.#names.get(day);
    if (known !== undefined) return known;
    const name = dayOfNumber(day);
    remember(this.#names, day, name);
    return name;
  }

  /** The hour of the day, 0 to 23. */
  hourAt(seconds: number): number {
    const shown = seconds + this.offsetAt(seconds);
    const sinceMidnight = shown - Math.floor(shown / secondsPerDay) * secondsPerDay;
    return Math.floor(sinceMidnight / secondsPerHour);
  }

  /** The calendar quarter, counted: year × 4 + 0 to 3, so that the quarter before is one less. */
  quarterAt(seconds: number): number {
    const day = this.dayAt(seconds);
    return Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3);
  }

  /** The first instant of a day. It is not always midnight: some clocks skip that hour. */
  startOf(day: string): number {
    return this.instantOf(secondsOfDay(day));
  }

  /** The first instant at which the clocks show a time, given as if they were in UTC, or have passed it. */
  instantOf(shown: number): number {
    const pieces = this.piecesBetween(shown - 2 * secondsPerDay, shown + 2 * secondsPerDay);
    for (const [i, { from, offset }] of pieces.entries()) {
      const instant = Math.max(from, shown - offset);
      if (instant < (pieces[i + 1]?.from ?? Number.POSITIVE_INFINITY)) return instant;
    }
    return shown;
  }

  /** How far the clocks are ahead of UTC throughout a span, the first piece beginning where the span does. */
  piecesBetween(from: number, until: number): ClockPiece[] {
    const pieces: ClockPiece[] = [{ from, offset: this.offsetAt(from) }];
    if (this.#isUtc) return pieces;
    for (let year = yearOf(from); year <= yearOf(until); year += 1) {
      pieces.push(...this.#changesIn(year).filter((piece) => piece.from > from && piece.from < until));
    }
    return pieces;
  }

  /** Seconds that the clocks are ahead of UTC at an instant. */
  offsetAt(seconds: number): number {
    if (this.#isUtc) return 0;
    const { before, changesAt, after } = this.#clockOn(Math.floor(seconds / secondsPerDay));
    return seconds < changesAt ? before : after;
  }

  /** How many days are remembered, of whichever most are. */
  get remembered(): number {
    return Math.max(this.#clocks.size, this.#offsets.size, this.#names.size, this.#years.size);
  }

  #changesIn(year: number): readonly ClockPiece[] {
    const known = this.#years.get(year);
    if (known) return known;
    const changes: ClockPiece[] = [];
    const ends = startOfYear(year + 1) / secondsPerDay;
    for (let day = startOfYear(year) / secondsPerDay; day < ends; day += 1) {
      const { before, changesAt, after } = this.#clockOn(day);
      if (before !== after) changes.push({ from: changesAt, offset: after });
    }
    remember(this.#years, year, changes);
    return changes;
  }

  #clockOn(utcDay: number): DayOffsets {
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
    return firstIndexWhere(begins + 1, ends, (second) => this.#askOffset(second) !== before);
  }

  #offsetAtDay(utcDay: number): number {
    const known = this.#offsets.get(utcDay);
    if (known !== undefined) return known;
    const offset = this.#askOffset(utcDay * secondsPerDay);
    remember(this.#offsets, utcDay, offset);
    return offset;
  }

  /** To the second: Liberia was 44 minutes and 30 seconds behind until 1972. */
  #askOffset(seconds: number): number {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#format.formatToParts(seconds * 1_000)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    const clock = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
    // Years of two digits would be taken for those of the last century.
    clock.setUTCFullYear(year, month - 1, day);
    return clock.getTime() / 1_000 - seconds;
  }
}

/** Forgetting everything at once is as good as anything cleverer: it happens to nobody whose times are plausible. */
function remember<V>(known: Map<number, V>, day: number, value: V): void {
  if (known.size >= maxDays) known.clear();
  known.set(day, value);
}

const yearOf = (seconds: number): number => new Date(seconds * 1_000).getUTCFullYear();
const startOfYear = (year: number): number => Date.parse(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`) / 1_000;

/**
 * Seconds from one moment to another. Clocks of several machines meet in one row, and rebasing rewrites author dates, so
 * times do run backwards: that is no time at all, not a negative one. With one end missing nothing was measured.
 */
export function closedSpan(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from);
}
