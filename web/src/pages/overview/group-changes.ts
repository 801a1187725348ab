import type { Compared } from '../../ask/compared.ts';
import { addsUp, measureOf } from '../../ask/metric-facts.ts';
import { noChange, relativeChange } from '../../view/change-words.ts';
import { movedIn, partBehind } from '../../view/part-of-change.ts';
import type { KeyFigure } from './questions.ts';

/** One group of one figure with the server's verdict on its change. */
export interface GroupChange extends Compared {
  readonly figure: KeyFigure;
  readonly by: 'team_name' | 'repository_name';
  readonly name: string;
}

const maxShown = 5;

/**
 * Groups with a verdict of change, the largest changes first. Where something became worse, one such group is among them
 * at least: larger improvements elsewhere do not hide a team that has a hard time.
 */
export function largestChanges(groups: readonly GroupChange[]): readonly GroupChange[] {
  const changed = bySize(groups.filter(({ verdict }) => verdict === 'up' || verdict === 'down'));
  const shown = changed.slice(0, maxShown);
  const worst = largestForTheWorse(groups)[0];
  return !worst || shown.includes(worst) ? shown : [...shown.slice(0, maxShown - 1), worst];
}

/** The groups in which something became worse, the largest changes first. */
export const largestForTheWorse = (groups: readonly GroupChange[]): readonly GroupChange[] =>
  bySize(groups.filter(({ isBetter }) => isBetter === false)).slice(0, maxShown);

const bySize = (groups: readonly GroupChange[]): readonly GroupChange[] =>
  groups.toSorted((a, b) => weightOf(b) - weightOf(a));

/** The reason for an empty list. "Nothing changed" is said only where some groups could be compared. */
export function noGroupChanged(groups: readonly GroupChange[], before: string): string {
  const isCompared = groups.some(({ verdict }) => verdict === 'about_the_same' || verdict === 'too_close');
  return isCompared
    ? 'No big changes by team or repository.'
    : noChange(groups, 'records by team or repository', before);
}

/** Shares are compared by points, the rest by ratio, so that 1 → 2 % does not beat everything. */
function weightOf({ figure, now: { value: now }, before: { value: before } }: GroupChange): number {
  if (now === null || before === null) return 0;
  if (measureOf(figure.metric, figure.aggregation) === 'percent') return Math.abs(now - before) * 2;
  return Math.abs(Math.log((now || 1) / (before || 1))) || relativeChange(now, before);
}

/** The team or the repository that bears at least half of the change of a figure, where there is one. */
export function groupBehind(
  whole: Pick<Compared, 'now' | 'verdict'> & { readonly before: Compared['before'] | undefined },
  groups: readonly GroupChange[],
): GroupChange | undefined {
  const { before } = whole;
  if (!before) return undefined;
  for (const by of ['repository_name', 'team_name'] as const) {
    const parts = groups
      .filter((group) => group.by === by)
      .map((group) => ({ ...group, moved: movedOf(group.figure, group) }));
    const figure = parts[0]?.figure;
    const part = figure && partBehind({ verdict: whole.verdict, moved: movedOf(figure, { ...whole, before }) }, parts);
    if (part) return part;
  }
  return undefined;
}

const movedOf = ({ metric, aggregation }: KeyFigure, change: Pick<Compared, 'now' | 'before'>): number =>
  movedIn(change, addsUp(metric, aggregation));
