import { type GroupSeries, largestAndOthers } from '../ask/series.ts';

/** A group that means the same on all pages. */
export interface KnownGroup {
  readonly key: string;
  readonly name?: string;
  readonly colour?: 1 | 2 | 3 | 4 | 5 | 6;
}

export const othersKey = 'others';

/** Known groups in their own order, then the rest by size. Lines of others are left out: only what adds up can be added. */
export function chosenGroups(
  groups: readonly GroupSeries[],
  kind: 'line' | 'stacked-bar',
  known: readonly KnownGroup[] = [],
): readonly GroupSeries[] {
  const place = ({ key }: GroupSeries): number => {
    const at = known.findIndex((one) => one.key === key);
    return at === -1 ? known.length : at;
  };
  const withValues = groups.filter(({ points }) => points.some(({ value }) => value !== null));
  if (kind === 'stacked-bar') return largestAndOthers(withValues).toSorted((a, b) => place(a) - place(b));
  const size = ({ points }: GroupSeries): number => points.reduce((sum, { n, value }) => sum + (n ?? value ?? 0), 0);
  return withValues
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, 6)
    .toSorted((a, b) => place(a) - place(b));
}
