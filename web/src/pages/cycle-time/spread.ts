import type { CategoryChart, ScatterChart } from '../../../../src/charts/chart-description.ts';
import { numberIn } from '../../ask/figure-question.ts';
import type { Row } from '../../ask/send.ts';
import { spreadWords } from './words.ts';

const hour = 3_600;
const day = 24 * hour;

/** A bar of the histogram: at least `from`, and less than `until`. Each is about twice as long as the one before. */
interface TimeBin {
  readonly label: string;
  readonly from: number;
  readonly until: number | null;
}

export const timeBins: readonly TimeBin[] = [
  { label: '< 1h', from: 0, until: hour },
  { label: '1–4h', from: hour, until: 4 * hour },
  { label: '4–12h', from: 4 * hour, until: 12 * hour },
  { label: '12–24h', from: 12 * hour, until: day },
  { label: '1–2d', from: day, until: 2 * day },
  { label: '2–4d', from: 2 * day, until: 4 * day },
  { label: '4–8d', from: 4 * day, until: 8 * day },
  { label: '8–16d', from: 8 * day, until: 16 * day },
  { label: '16–32d', from: 16 * day, until: 32 * day },
  { label: '≥ 32d', from: 32 * day, until: null },
];

export const withTime = (rows: readonly Row[]): Row[] => rows.filter((row) => numberIn(row, 'cycle_time') !== null);

/** How many pull requests took how long. */
export function histogram(rows: readonly Row[], title: string): CategoryChart {
  const counts = timeBins.map(() => 0);
  for (const row of rows) {
    const time = numberIn(row, 'cycle_time');
    const at = time === null ? -1 : timeBins.findIndex(({ from, until }) => time >= from && time < (until ?? Infinity));
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  return {
    kind: 'histogram',
    title,
    measure: 'count',
    isAddedUp: true,
    categories: timeBins.map(({ label }) => ({ label })),
    series: [{ name: spreadWords.pullRequests, points: counts.map((value) => ({ value })) }],
  };
}

/** Lines changed against the time from first commit to merge, one dot a pull request. */
export function sizeAgainstTime(rows: readonly Row[], title: string): ScatterChart {
  return {
    kind: 'scatter',
    title,
    measure: 'duration',
    isAddedUp: true,
    isLogarithmic: true,
    x: { title: spreadWords.linesAddedAndDeleted, measure: 'count', isLogarithmic: true },
    yTitle: spreadWords.firstCommitToMerge,
    dots: rows.map((row) => ({
      name: `${row.repository_name ?? ''}: ${row.pr_title ?? row.pr_id}`,
      x: linesOf(row),
      y: numberIn(row, 'cycle_time') ?? 0,
    })),
  };
}

const linesOf = (row: Row): number => (numberIn(row, 'additions') ?? 0) + (numberIn(row, 'deletions') ?? 0);

/** Pull requests of known size: a missing side is 0 when the other is known. */
export const withSize = (rows: readonly Row[]): Row[] =>
  rows.filter((row) => numberIn(row, 'additions') !== null || numberIn(row, 'deletions') !== null);
