import { countsAround, ranksAround, ratesAround } from '../../reference/likely-ranges.ts';

/** What may be said of a change, worked out from values by the rules as they are written down. Nothing of the product is in it. */

/** What a number is, as far as a change of it may be judged. */
export type Kind = 'count' | 'rate' | 'mean' | 'sum' | 'amounts' | { readonly percentile: number };

/** A row that has a part in a number: its own value, and how many things it stands for. */
export interface Counted {
  readonly value: number | null;
  readonly n: number;
  /** Of numbers that count each thing once, whatever the number of its rows: which one it is. */
  readonly identity?: string;
}

/** The number that some rows give. */
export interface PlainNumber {
  readonly value: number | null;
  readonly n: number;
  /** How many rows were looked at, with a value or without. */
  readonly rows: number;
  /** Of a percentile: its values, the smallest first. */
  readonly sorted: readonly number[];
}

export const numberOf = (kind: Kind, rows: readonly Counted[]): PlainNumber => ({
  ...valuesOf(kind, rows),
  rows: rows.length,
});

function valuesOf(kind: Kind, rows: readonly Counted[]): Omit<PlainNumber, 'rows'> {
  const withValue = rows.filter(({ value, n }) => n > 0 && value !== null);
  const n = withValue.reduce((sum, row) => sum + row.n, 0);
  const sum = withValue.reduce((total, row) => total + (row.value ?? 0) * row.n, 0);
  const sorted = withValue.map(({ value }) => value ?? 0).sort((a, b) => a - b);
  if (typeof kind === 'object') return { value: percentileOf(sorted, kind.percentile), n, sorted };
  switch (kind) {
    case 'count': {
      const things = withValue.filter(({ value }) => value !== 0);
      const counted = things.every(({ identity }) => identity === undefined)
        ? sum
        : new Set(things.map(({ identity }) => identity)).size;
      return { value: counted, n: counted, sorted };
    }
    case 'sum':
      return { value: sum, n, sorted };
    default:
      return { value: n === 0 ? null : sum / n, n, sorted };
  }
}

/** Between two values it is as far from the one to the other as the place is between theirs. */
function percentileOf(sorted: readonly number[], at: number): number | null {
  if (sorted.length === 0) return null;
  const place = at * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}

type Range = readonly [number | null, number | null];

const ranges = new Map<string, Range>();

/** The same ranges are asked for again and again, and each is searched for. */
function once(key: string, find: () => Range): Range {
  const found = ranges.get(key) ?? find();
  ranges.set(key, found);
  return found;
}

function rangeOf(kind: Kind, { value, n, sorted }: PlainNumber, coverage: number): Range {
  if (value === null) return [null, null];
  if (typeof kind === 'object') {
    const [low, high] = once(`rank ${kind.percentile} ${n} ${coverage}`, () =>
      ranksAround(kind.percentile, n, coverage),
    );
    return [low === null ? null : (sorted[low - 1] ?? null), high === null ? null : (sorted[high - 1] ?? null)];
  }
  if (kind === 'rate') return once(`rate ${value} ${n} ${coverage}`, () => ratesAround(value, n, coverage));
  return once(`count ${value} ${coverage}`, () => countsAround(value, coverage));
}

/** One of two windows. */
export interface JudgedNumber extends PlainNumber {
  readonly days: number;
}

export interface PlainChange {
  readonly now: JudgedNumber;
  readonly before: JudgedNumber;
  /** The history reaches back over all of the earlier window, and both are complete. */
  readonly isComparable: boolean;
}

export type PlainVerdict = 'up' | 'down' | 'about_the_same' | 'too_close' | 'too_few' | 'no_comparison' | null;

const enough = 10;
const littleChange = 0.03;
const littleChangeOfRate = 0.01;
const manyTimes = 4;

export function verdictOf(kind: Kind, { now, before, isComparable }: PlainChange): PlainVerdict {
  if (kind === 'mean' || kind === 'sum' || kind === 'amounts') return null;
  if (!isComparable) return 'no_comparison';
  const isEnough = kind === 'count' ? Math.max(now.n, before.n) >= enough : Math.min(now.n, before.n) >= enough;
  if (!isEnough) return 'too_few';
  const each = kind === 'count' && now.days !== before.days ? [now.days, before.days] : [1, 1];
  const [value, earlier] = [(now.value ?? 0) / (each[0] ?? 1), (before.value ?? 0) / (each[1] ?? 1)];
  const moved = Math.abs(value - earlier);
  if (moved === 0 || moved < (kind === 'rate' ? littleChangeOfRate : littleChange * Math.abs(earlier)))
    return 'about_the_same';
  const isUneven = Math.max(now.n, before.n) > manyTimes * Math.min(now.n, before.n);
  const coverage = isUneven ? 0.95 : 0.84;
  const [low, high] = rangeOf(kind, now, coverage).map((end) => (end === null ? null : end / (each[0] ?? 1)));
  const [earlierLow, earlierHigh] = rangeOf(kind, before, coverage).map((end) =>
    end === null ? null : end / (each[1] ?? 1),
  );
  const isAbove = low != null && earlierHigh != null && low > earlierHigh;
  const isBelow = high != null && earlierLow != null && high < earlierLow;
  if (!isAbove && !isBelow) return 'too_close';
  return isAbove ? 'up' : 'down';
}

/** Whether a change is for the better; null where nothing changed or no side is the good one. */
export const isBetter = (verdict: PlainVerdict, better: 'lower' | 'higher' | null): boolean | null =>
  better === null || (verdict !== 'up' && verdict !== 'down') ? null : (verdict === 'up') === (better === 'higher');
