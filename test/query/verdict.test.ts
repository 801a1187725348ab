import { describe, expect, test } from 'vitest';
import type { JudgedForm } from '../../src/catalogue/judged-form.ts';
import {
  type Coverage,
  countRange,
  coverageFor,
  coverages,
  type LikelyRange,
  percentileRanks,
  rateRange,
} from '../../src/query/likely-range.ts';
import { type JudgedWindow, judge } from '../../src/query/verdict.ts';
import { countsAround, ranksAround, ratesAround } from '../reference/likely-ranges.ts';

const median: JudgedForm = { kind: 'percentile', at: 0.5 };
const rate: JudgedForm = { kind: 'rate' };
const count: JudgedForm = { kind: 'count' };

const window = (about: Partial<JudgedWindow>): JudgedWindow => ({
  value: 100,
  n: 50,
  range: [90, 110],
  days: 30,
  isComplete: true,
  ...about,
});

const judged = (
  form: JudgedForm | undefined,
  current: Partial<JudgedWindow>,
  previous: Partial<JudgedWindow>,
  { hasHistory = true, better }: { hasHistory?: boolean; better?: 'lower' | 'higher' } = {},
) => judge({ form, current: window(current), previous: window(previous), hasHistory, better });

const verdictOf = (...change: Parameters<typeof judged>) => judged(...change).verdict;

describe('ranges', () => {
  test.each(coverages)('Ranges of rates and counts are those that a search finds, at %d', (coverage) => {
    for (const [found, n] of [
      [0, 10],
      [0.1, 10],
      [0.5, 37],
      [0.97, 300],
      [1, 12],
    ] as const) {
      close(rateRange(found, n, coverage), ratesAround(found, n, coverage));
    }
    for (const found of [0, 1, 10, 94, 5_000]) close(countRange(found, coverage), countsAround(found, coverage));
  });

  test.each(coverages)(
    'Ranges of percentiles lie between the ranks that every rank was tried for, at %d',
    (coverage) => {
      for (const at of [0.5, 0.75, 0.9, 0.95]) {
        for (const n of [1, 3, 4, 6, 10, 17, 49, 50, 200, 500]) {
          expect([at, n, ...percentileRanks(at, n, coverage)]).toEqual([at, n, ...ranksAround(at, n, coverage)]);
        }
      }
    },
  );

  test('Ranges are those that are published', () => {
    // Newcombe 1998, of 81 among 263; and the ranks of a median that tables for the sign test have.
    close(rateRange(81 / 263, 263, 0.95), [0.2553, 0.3662], 4);
    expect(percentileRanks(0.5, 10, 0.95)).toEqual([2, 9]);
    expect(percentileRanks(0.5, 30, 0.95)).toEqual([10, 21]);
  });

  test('Ranges have no end where there is none among so few', () => {
    expect(percentileRanks(0.5, 3, 0.84)).toEqual([null, null]);
    expect(percentileRanks(0.95, 40, 0.84)).toEqual([36, null]);
    expect(percentileRanks(0.5, 0, 0.84)).toEqual([null, null]);
    expect(rateRange(0, 0, 0.84)).toEqual([null, null]);
  });

  test('Ranges of millions of values are found without adding up all of them', () => {
    const [low, high] = percentileRanks(0.9, 5_000_000, 0.95);
    const half = 1.959963984540054 * Math.sqrt(5_000_000 * 0.09);
    expect(low).toBeCloseTo(4_500_000 - half, -1);
    expect(high).toBeCloseTo(4_500_000 + half, -1);
  });

  test('Ranges are wider where one window has more than four times the values of the other', () => {
    expect([
      coverageFor(40, 10),
      coverageFor(10, 40),
      coverageFor(41, 10),
      coverageFor(10, 41),
      coverageFor(0, 1),
    ]).toEqual([0.84, 0.84, 0.95, 0.95, 0.95]);
  });
});

describe('a verdict', () => {
  const apart = { value: 150, range: [140, 160] } as const;

  test('A verdict is the first of null, no comparison, too few, about the same and too close that holds', () => {
    expect(verdictOf(undefined, { isComplete: false, n: 3 }, {})).toBeNull();
    expect(verdictOf(median, { isComplete: false, n: 3 }, {})).toBe('no_comparison');
    expect(verdictOf(median, {}, { isComplete: false })).toBe('no_comparison');
    expect(verdictOf(median, apart, {}, { hasHistory: false })).toBe('no_comparison');
    expect(verdictOf(median, apart, { value: null, n: null, range: null })).toBe('no_comparison');
    expect(verdictOf(median, { ...apart, n: 9 }, {})).toBe('too_few');
    expect(verdictOf(median, apart, { n: 9 })).toBe('too_few');
    expect(verdictOf(median, { value: 102.9, range: [102.8, 103] }, { range: [99, 101] })).toBe('about_the_same');
    expect(verdictOf(median, { value: 103, range: [102.8, 103.1] }, { range: [99, 101] })).toBe('up');
    expect(verdictOf(median, { value: 120, range: [110, 130] }, {})).toBe('too_close');
    expect(verdictOf(median, apart, {})).toBe('up');
    expect(verdictOf(median, {}, apart)).toBe('down');
  });

  test('A verdict takes a missing end for one that overlaps everything on its side', () => {
    expect(verdictOf(median, { value: 150, range: [140, null] }, {})).toBe('up');
    expect(verdictOf(median, { value: 150, range: [null, 160] }, {})).toBe('too_close');
    expect(verdictOf(median, apart, { range: [90, null] })).toBe('too_close');
    expect(verdictOf(median, { value: 150, range: null }, {})).toBe('too_close');
  });

  test('A verdict takes a rate for about the same under one point', () => {
    const of = (value: number): Partial<JudgedWindow> => ({ value, range: [value, value] });
    expect(verdictOf(rate, of(0.059), of(0.05))).toBe('about_the_same');
    expect(verdictOf(rate, of(0.97), of(0.95))).toBe('up');
    expect(verdictOf(rate, of(0), of(0))).toBe('about_the_same');
  });

  test('A verdict asks for ten of a count in one window only, and compares windows of unequal lengths by the day', () => {
    const of = (value: number, days = 30): Partial<JudgedWindow> => ({
      value,
      n: value,
      range: countRange(value, 0.84),
      days,
    });
    expect(verdictOf(count, of(9), of(0))).toBe('too_few');
    expect(verdictOf(count, of(0), of(10))).toBe('down');
    expect(verdictOf(count, of(3_100, 31), of(2_800, 28))).toBe('about_the_same');
    expect(verdictOf(count, of(3_100, 30), of(2_800, 30))).toBe('up');
    expect(verdictOf(count, of(2_800, 28), of(3_100, 28))).toBe('down');
  });

  test('A verdict says which side is better only of a change, and only where there is a good side', () => {
    expect(judged(median, apart, {}, { better: 'lower' })).toEqual({ verdict: 'up', isBetter: false });
    expect(judged(median, {}, apart, { better: 'lower' })).toEqual({ verdict: 'down', isBetter: true });
    expect(judged(median, apart, {}, { better: 'higher' })).toEqual({ verdict: 'up', isBetter: true });
    expect(judged(median, apart, {})).toEqual({ verdict: 'up', isBetter: null });
    expect(judged(median, { n: 3 }, {}, { better: 'higher' })).toEqual({ verdict: 'too_few', isBetter: null });
  });
});

describe('chance', () => {
  test('Chance alone brings forth a change in at most six of a hundred comparisons', () => {
    const random = seeded(20_261);
    const between = (least: number, most: number) => least * (most / least) ** random();
    const kinds = ['median', 'p75', 'p90', 'rate near 0', 'rate near 1', 'count'] as const;
    const found = new Map<string, number>(kinds.map((kind) => [kind, 0]));
    const pairs = 10_000;
    for (let i = 0; i < pairs; i += 1) {
      const kind = kinds[i % kinds.length] ?? 'median';
      const [n, before] = [Math.round(between(10, 1_000)), Math.round(between(10, 1_000))];
      const verdict = chanceVerdict(kind, n, before, random);
      if (verdict === 'up' || verdict === 'down') found.set(kind, (found.get(kind) ?? 0) + 1);
    }
    const changes = [...found.values()].reduce((sum, one) => sum + one, 0);
    expect(changes / pairs).toBeLessThanOrEqual(0.06);
    // Ranges that are much too wide would find nothing at all.
    expect(changes / pairs).toBeGreaterThan(0.01);
  });

  test('Chance does not hide a median of long-tailed durations that falls by 30 % from two hundred values', () => {
    const random = seeded(7);
    const pairs = 2_000;
    let seen = 0;
    for (let i = 0; i < pairs; i += 1) {
      const current = durations(200, 0.7, random);
      const previous = durations(200, 1, random);
      if (percentileVerdict(0.5, current, previous) === 'down') seen += 1;
    }
    expect(seen / pairs).toBeGreaterThanOrEqual(0.5);
  });
});

type Random = () => number;

function chanceVerdict(kind: string, n: number, before: number, random: Random) {
  switch (kind) {
    case 'count': {
      const of = (value: number): Partial<JudgedWindow> => ({ value, n: value });
      const [now, then] = [of(poisson(n, random)), of(poisson(n, random))];
      return verdictBetween(count, now, then, (one, coverage) => countRange(one.value ?? 0, coverage));
    }
    case 'rate near 0':
    case 'rate near 1': {
      const chance = kind === 'rate near 0' ? 0.1 * random() : 1 - 0.1 * random();
      const of = (size: number): Partial<JudgedWindow> => ({
        value: Array.from({ length: size }, random).filter((one) => one < chance).length / size,
        n: size,
      });
      return verdictBetween(rate, of(n), of(before), (one, coverage) =>
        rateRange(one.value ?? 0, one.n ?? 0, coverage),
      );
    }
    default: {
      const at = { median: 0.5, p75: 0.75, p90: 0.9 }[kind] ?? 0.5;
      return percentileVerdict(at, durations(n, 1, random), durations(before, 1, random));
    }
  }
}

function percentileVerdict(at: number, current: Float64Array, previous: Float64Array) {
  const of = (sorted: Float64Array): Partial<JudgedWindow> => {
    const place = at * (sorted.length - 1);
    const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return { value: below + (above - below) * (place - Math.floor(place)), n: sorted.length };
  };
  const [now, then] = [of(current), of(previous)];
  return verdictBetween({ kind: 'percentile', at }, now, then, (one, coverage) => {
    const sorted = one === now ? current : previous;
    const [low, high] = percentileRanks(at, sorted.length, coverage);
    return [low === null ? null : (sorted[low - 1] ?? null), high === null ? null : (sorted[high - 1] ?? null)];
  });
}

function verdictBetween(
  form: JudgedForm,
  current: Partial<JudgedWindow>,
  previous: Partial<JudgedWindow>,
  range: (one: Partial<JudgedWindow>, coverage: Coverage) => LikelyRange,
) {
  const coverage = coverageFor(current.n ?? 0, previous.n ?? 0);
  const ranged = (one: Partial<JudgedWindow>) => ({ ...one, range: range(one, coverage) });
  return verdictOf(form, ranged(current), ranged(previous));
}

/** Lognormal, sorted: most are short, a few take twenty times as long. */
const durations = (n: number, scale: number, random: Random): Float64Array =>
  Float64Array.from({ length: n }, () => 36_000 * scale * Math.exp(1.3 * normal(random))).sort();

const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** As many as come in a while in which so many are expected. */
function poisson(mean: number, random: Random): number {
  let events = -1;
  for (let time = 0; time < mean; events += 1) time -= Math.log(1 - random());
  return events;
}

/** The same numbers every time: mulberry32. */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function close(found: LikelyRange, expected: readonly [number, number], digits = 9): void {
  for (const i of [0, 1] as const) expect(found[i]).toBeCloseTo(expected[i], digits);
}
