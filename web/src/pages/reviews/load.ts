import type { ScatterChart } from '../../../../src/charts/chart-description.ts';
import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';

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
    const key = id ?? `login ${login}`;
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

/** Reviews given against pull requests opened, a dot each. */
export const loadChart = (people: readonly PersonLoad[], title: string): ScatterChart => ({
  kind: 'scatter',
  title,
  measure: 'count',
  isAddedUp: true,
  x: { title: 'pull requests opened', measure: 'count' },
  yTitle: 'reviews given',
  dots: people.map(({ name, reviews, opened }) => ({ name, x: opened, y: reviews })),
});
