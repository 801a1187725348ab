/** Where chance puts a number, worked out the long way: by integrating, adding up and searching. */

/** How much of a normal distribution lies within so many deviations of its middle, by Simpson's rule. */
function normalWithin(deviations: number): number {
  const steps = 2_000;
  const width = deviations / steps;
  const density = (x: number) => Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(deviations);
  for (let i = 1; i < steps; i += 1) sum += (i % 2 === 1 ? 4 : 2) * density(i * width);
  return (2 * sum * width) / 3;
}

/** Where a function that rises reaches a number. */
function reaching(goal: number, from: number, to: number, rising: (x: number) => number): number {
  let [low, high] = [from, to];
  for (let i = 0; i < 200; i += 1) {
    const middle = (low + high) / 2;
    if (rising(middle) < goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const knownDeviations = new Map<number, number>();

export function deviationsOf(coverage: number): number {
  const deviations = knownDeviations.get(coverage) ?? reaching(coverage, 0, 6, normalWithin);
  knownDeviations.set(coverage, deviations);
  return deviations;
}

/** The rates that a found rate is just within so many deviations of, their own. */
export function ratesAround(rate: number, n: number, coverage: number): [number, number] {
  const most = deviationsOf(coverage) ** 2;
  const distance = (of: number) => (n * (rate - of) ** 2) / (of * (1 - of));
  return [
    rate === 0 ? 0 : reaching(-most, 0, rate, (of) => -distance(of)),
    rate === 1 ? 1 : reaching(most, rate, 1, distance),
  ];
}

/** The same for the number that is counted on average. */
export function countsAround(count: number, coverage: number): [number, number] {
  const most = deviationsOf(coverage) ** 2;
  const distance = (of: number) => (count - of) ** 2 / of;
  return [
    count === 0 ? 0 : reaching(-most, 0, count, (of) => -distance(of)),
    reaching(most, count, count + 100 + 10 * Math.sqrt(count), distance),
  ];
}

/** Which of n sorted values bound a percentile: every rank is tried, from the middle of nothing outwards. */
export function ranksAround(share: number, n: number, coverage: number): [number | null, number | null] {
  const missed = (1 - coverage) / 2;
  const logs = [0];
  for (let i = 1; i <= n; i += 1) logs.push((logs[i - 1] ?? 0) + Math.log(i));
  const logOf = (k: number) => logs[k] ?? 0;
  const chance = (k: number) =>
    Math.exp(logOf(n) - logOf(k) - logOf(n - k) + k * Math.log(share) + (n - k) * Math.log(1 - share));
  const between = (from: number, to: number) => {
    let sum = 0;
    for (let k = from; k <= to; k += 1) sum += chance(k);
    return sum;
  };
  const ranks = Array.from({ length: n }, (_, i) => i + 1);
  return [
    ranks.findLast((rank) => between(0, rank - 1) <= missed) ?? null,
    ranks.find((rank) => between(rank, n) <= missed) ?? null,
  ];
}
