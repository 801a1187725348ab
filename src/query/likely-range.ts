/** From where to where chance alone moves a number. An end that does not exist is null: the range has no end there. */
export type LikelyRange = readonly [low: number | null, high: number | null];

/** How often a range holds the number that it is about. */
export const coverages = [0.84, 0.95] as const;
export type Coverage = (typeof coverages)[number];

/** Standard deviations to either side of a normal distribution that hold that much of it. */
const deviations: Readonly<Record<Coverage, number>> = { 0.84: 1.4050715603096329, 0.95: 1.959963984540054 };

/** With more times the values in one of two windows, two 84 % ranges would too often lie apart by chance. */
const maxTimesTheValues = 4;

/**
 * Two 84 % ranges that do not overlap are a test at about 5 %, where both windows have about as many values. Where one has
 * many more, its range is a point beside that of the other, and 95 % are needed.
 */
export const coverageFor = (n: number, previousN: number): Coverage =>
  Math.max(n, previousN) > maxTimesTheValues * Math.min(n, previousN) ? 0.95 : 0.84;

/** Wilson's score range of a share of n. */
export function rateRange(rate: number, n: number, coverage: Coverage): LikelyRange {
  if (!(n > 0 && rate >= 0 && rate <= 1)) return [null, null];
  const z = deviations[coverage];
  const divisor = 1 + z ** 2 / n;
  const middle = (rate + z ** 2 / (2 * n)) / divisor;
  const half = (z / divisor) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return [rate === 0 ? 0 : middle - half, rate === 1 ? 1 : middle + half];
}

/** The score range of the mean of a Poisson distribution of which one count is known. */
export function countRange(count: number, coverage: Coverage): LikelyRange {
  const z = deviations[coverage];
  const middle = count + z ** 2 / 2;
  const half = z * Math.sqrt(count + z ** 2 / 4);
  return [count === 0 ? 0 : middle - half, middle + half];
}

/** Places among n sorted values, the smallest at 1. Null where the range ends nowhere among so few. */
type Ranks = readonly [low: number | null, high: number | null];

/**
 * Between which of n sorted values a percentile lies, whatever the values are distributed like. How many of them are
 * smaller than the percentile is binomial, and each end leaves out at most its half of what may be missed.
 */
export function percentileRanks(at: number, n: number, coverage: Coverage): Ranks {
  if (n < 1) return [null, null];
  const tail = (1 - coverage) / 2;
  const { first, shares } = binomial(n, at);
  let low: number | null = null;
  let below = 0;
  for (const [i, share] of shares.entries()) {
    below += share;
    if (below > tail) break;
    low = first + i + 1;
  }
  let high: number | null = null;
  let above = 0;
  for (let i = shares.length - 1; i >= 0; i -= 1) {
    above += shares[i] ?? 0;
    if (above > tail) break;
    high = first + i;
  }
  return [low, high];
}

/** Less than this beside the largest share changes no sum. */
const negligible = 1e-18;

/** How likely each number of n is, from the first that is not negligible on: added up from the largest, nothing overflows. */
function binomial(n: number, at: number): { readonly first: number; readonly shares: readonly number[] } {
  const middle = Math.min(n, Math.floor((n + 1) * at));
  const odds = at / (1 - at);
  const down: number[] = [];
  for (let k = middle, weight = 1; k > 0; k -= 1) {
    weight *= k / (n - k + 1) / odds;
    if (weight < negligible) break;
    down.push(weight);
  }
  const up: number[] = [];
  for (let k = middle, weight = 1; k < n; k += 1) {
    weight *= ((n - k) / (k + 1)) * odds;
    if (weight < negligible) break;
    up.push(weight);
  }
  const weights = [...down.reverse(), 1, ...up];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { first: middle - down.length, shares: weights.map((weight) => weight / sum) };
}
