const secondsPerDay = 86_400;

/** A stretch of time in which the clocks of a zone keep the same distance from UTC. */
export interface ClockPiece {
  /** The first second of it. */
  readonly from: number;
  /** Seconds that the clocks are ahead of UTC. */
  readonly offset: number;
}

export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000 / secondsPerDay;
export const dayOfNumber = (number: number): string =>
  new Date(number * secondsPerDay * 1_000).toISOString().slice(0, 10);

const zones = new Map<string, TimeZone>();

/** Days as the clocks of a zone tell them. Which clocks changed in a year is worked out once. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  readonly #isUtc: boolean;
  /** Changes of the clocks by year, and the offset that the year begins with. */
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

  static named(name: string): TimeZone {
    const known = zones.get(name) ?? new TimeZone(name);
    zones.set(name, known);
    return known;
  }

  /** The day, `YYYY-MM-DD`, at an instant. */
  dayAt(seconds: number): string {
    return dayOfNumber(Math.floor((seconds + this.#offsetAt(seconds)) / secondsPerDay));
  }

  /** The first instant of a day. It is not always midnight: some clocks skip that hour. */
  startOf(day: string): number {
    return this.instantOf(dayNumber(day) * secondsPerDay);
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
    const pieces: ClockPiece[] = [{ from, offset: this.#offsetAt(from) }];
    if (this.#isUtc) return pieces;
    for (let year = yearOf(from); year <= yearOf(until); year += 1) {
      pieces.push(...this.#changesIn(year).filter((piece) => piece.from > from && piece.from < until));
    }
    return pieces;
  }

  #changesIn(year: number): readonly ClockPiece[] {
    const known = this.#years.get(year);
    if (known) return known;
    const changes: ClockPiece[] = [];
    const ends = startOfYear(year + 1);
    let from = startOfYear(year);
    let offset = this.#offsetAt(from);
    for (let next = from + secondsPerDay; next <= ends; next += secondsPerDay) {
      const after = this.#offsetAt(next);
      if (after !== offset) changes.push({ from: this.#changeBetween(from, next, offset), offset: after });
      [from, offset] = [next, after];
    }
    this.#years.set(year, changes);
    return changes;
  }

  #changeBetween(begins: number, ends: number, before: number): number {
    let [same, changed] = [begins, ends];
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (this.#offsetAt(middle) === before) same = middle;
      else changed = middle;
    }
    return changed;
  }

  #offsetAt(seconds: number): number {
    if (this.#isUtc) return 0;
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#format.formatToParts(seconds * 1_000)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    const clock = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
    clock.setUTCFullYear(year, month - 1, day);
    return clock.getTime() / 1_000 - seconds;
  }
}

const yearOf = (seconds: number): number => new Date(seconds * 1_000).getUTCFullYear();
const startOfYear = (year: number): number => Date.parse(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`) / 1_000;
