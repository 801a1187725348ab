/** A value, and how many rows have it. Both null where there is nothing. */
interface GroupPoint {
  readonly value: number | null;
  readonly n: number | null;
}

/** The rows of a group: its value of the column, and a point for every bucket. */
export interface GroupSeries {
  readonly key: string | null;
  readonly points: readonly GroupPoint[];
}

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

/** More lines nobody can tell apart: the largest five, and the others added up. */
function largestAndOthers(groups: readonly GroupSeries[], most = 6): readonly GroupSeries[] {
  if (groups.length <= most) return groups;
  const size = ({ points }: GroupSeries): number => points.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const bySize = groups.toSorted((a, b) => size(b) - size(a));
  const rest = bySize.slice(most - 1);
  const added = (bySize[0]?.points ?? []).map((_, at) => ({
    value: rest.reduce((sum, { points }) => sum + (points[at]?.value ?? 0), 0),
    n: rest.reduce((sum, { points }) => sum + (points[at]?.n ?? 0), 0),
  }));
  return [...bySize.slice(0, most - 1), { key: 'others', points: added }];
}
