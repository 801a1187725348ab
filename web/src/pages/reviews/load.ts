import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { loadWords } from './words.ts';

/** How many reviews one person gave and asked for. */
export interface PersonLoad {
  readonly id: string | null;
  readonly name: string;
  readonly reviews: number;
  readonly opened: number;
}

/**
 * People who reviewed or opened something, by name: the order does not say who did more. Rows of one person are put
 * together.
 */
export function loads(rows: readonly Row[]): PersonLoad[] {
  const people = new Map<string, PersonLoad>();
  for (const row of rows) {
    if (row.is_bot === true) continue;
    const id = textOf(row.merged_user_id);
    const login = textOf(row.person_login);
    const name = textOf(row.name) ?? login;
    if (name === null) continue;
    const key = id ?? loadWords.login(login);
    const before = people.get(key);
    people.set(key, {
      id,
      name,
      reviews: (before?.reviews ?? 0) + (numberIn(row, 'review_interactions_count') ?? 0),
      opened: (before?.opened ?? 0) + (numberIn(row, 'pr_count') ?? 0),
    });
  }
  return [...people.values()]
    .filter(({ reviews, opened }) => reviews + opened > 0)
    .toSorted((a, b) => byName(a.name, b.name));
}

/** One collator for all comparisons: there may be thousands of names, and making one is slow. */
const byName = new Intl.Collator().compare;

/** How evenly reviews are spread. */
export interface LoadSpread {
  readonly reviewers: number;
  readonly reviews: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
  /** The fewest people who together gave half of all reviews. */
  readonly half: number;
}

export function spreadOf(people: readonly PersonLoad[]): LoadSpread | undefined {
  const counts = people
    .map(({ reviews }) => reviews)
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);
  if (counts.length === 0) return undefined;
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number): number => counts[Math.min(counts.length - 1, Math.floor(share * counts.length))] ?? 0;
  let [half, sum] = [0, 0];
  for (const count of counts.toReversed()) {
    if (sum * 2 >= reviews) break;
    sum += count;
    half += 1;
  }
  return { reviewers: counts.length, reviews, low: at(0.25), median: at(0.5), high: at(0.75), half };
}

/** How many reviews one bar stands for: as few as nine bars have room for. */
const steps = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000].map((power) => step * power))
  .sort((a, b) => a - b);
const maxBars = 9;
/** Of fewer people nothing is the usual. */
export const fewReviewers = 5;

/**
 * How many people gave how many reviews, nobody by name: a bar for none, and one for each range of numbers. Bars outside
 * of what the middle half of reviewers gave are paler.
 */
export function loadChart(people: readonly PersonLoad[], title: string, spread?: LoadSpread): CategoryChart {
  const most = Math.max(1, ...people.map(({ reviews }) => reviews));
  const step = steps.find((one) => most / one <= maxBars) ?? most;
  const bars = Array.from({ length: Math.ceil(most / step) }, (_, at) => ({
    from: at * step + 1,
    to: (at + 1) * step,
  }));
  const within = ({ from, to }: { readonly from: number; readonly to: number }): number =>
    people.filter(({ reviews }) => reviews >= from && reviews <= to).length;
  const all = [{ from: 0, to: 0 }, ...bars];
  const hasMiddle = spread !== undefined && spread.reviewers >= fewReviewers;
  return {
    kind: 'histogram',
    title,
    measure: 'count',
    isAddedUp: true,
    categories: all.map(({ from, to }) => ({
      label: from === to ? String(from) : `${from}–${to}`,
      ...(hasMiddle && (to < spread.low || from > spread.high) ? { isQuiet: true } : {}),
    })),
    series: [{ name: loadWords.people, points: all.map((bar) => ({ value: within(bar) })) }],
  };
}
