import { firstIndexWhere } from '../../binary-search.ts';
/** A stretch of a table as large as a row group: which times its rows have. Null where none has a time. */
export interface Stretch {
  readonly group: number;
  readonly from: number | null;
  readonly middle: number | null;
  readonly to: number | null;
}

/** A stretch that reaches over the middles of fewer others than this is as good as in order. */
const reachMost = 2;
/** Sorting is worth it when a moment in time is then looked for in more than this many stretches fewer, on average. */
const gainLeast = 1;

/**
 * The stretches whose rows are so mixed that sorting them makes a window of time cheaper to read; none where it would
 * not be worth the work. What reaches far is mixed; what merely lies elsewhere, such as older years that were loaded
 * later, is found just as quickly there. A few old rows at the end of the table make one stretch reach over everything,
 * and sorting that one stretch would not help: it is the number of such stretches that counts.
 */
export function unsortedGroups(stretches: readonly Stretch[]): number[] {
  const middles = stretches.flatMap(({ middle }) => middle ?? []).sort((a, b) => a - b);
  const reached = stretches.map((stretch) => ({ group: stretch.group, reach: reachOf(stretch, middles) }));
  const stray = reached.filter(({ reach }) => reach >= reachMost);
  const before = reached.reduce((sum, { reach }) => sum + reach, 0);
  const settled = before - stray.reduce((sum, { reach }) => sum + reach, 0);
  // Once sorted, the stray ones together reach over every other middle once.
  const after = settled + (stretches.length - stray.length);
  return (before - after) / stretches.length > gainLeast ? stray.map(({ group }) => group) : [];
}

/** How many middles of other stretches lie inside. */
function reachOf({ from, middle, to }: Stretch, middles: readonly number[]): number {
  if (from === null || to === null || middle === null || from === to) return 0;
  const inside = firstAtLeast(middles, to) - firstAtLeast(middles, from + 1);
  const isItselfInside = middle > from && middle < to;
  return Math.max(0, inside - (isItselfInside ? 1 : 0));
}

/** The position of the first value that is not smaller. */
function firstAtLeast(sorted: readonly number[], value: number): number {
  return firstIndexWhere(0, sorted.length, (i) => (sorted[i] ?? 0) >= value);
}
