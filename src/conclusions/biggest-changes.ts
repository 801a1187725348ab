import { relativeChange } from './change-words.ts';
import type { ComparedValue } from './compared.ts';
import type { KeyFigure } from './key-figure-words.ts';
import { movedIn, partBehind } from './part-of-change.ts';

/** One group of one figure with the server's verdict on its change. */
export interface ComparedGroup extends ComparedValue {
  readonly figure: KeyFigure;
  readonly by: 'team_name' | 'repository_name';
  readonly name: string;
}

const maxShown = 5;

/**
 * Groups with a verdict of change, the largest changes first. Where something became worse, one such group is among them
 * at least: larger improvements elsewhere do not hide a team that has a hard time.
 */
export function largestChanges(groups: readonly ComparedGroup[]): readonly ComparedGroup[] {
  const changed = bySize(groups.filter(({ verdict }) => verdict === 'up' || verdict === 'down'));
  const shown = changed.slice(0, maxShown);
  const worst = largestForTheWorse(groups)[0];
  return !worst || shown.includes(worst) ? shown : [...shown.slice(0, maxShown - 1), worst];
}

/** The groups in which something became worse, the largest changes first. */
export const largestForTheWorse = (groups: readonly ComparedGroup[]): readonly ComparedGroup[] =>
  bySize(groups.filter(({ isBetter }) => isBetter === false)).slice(0, maxShown);

const bySize = (groups: readonly ComparedGroup[]): readonly ComparedGroup[] =>
  groups.toSorted((a, b) => weightOf(b) - weightOf(a));

/** Shares are compared by points, the rest by ratio, so that 1 → 2 % does not beat everything. */
function weightOf({ figure, now: { value: now }, before: { value: before } }: ComparedGroup): number {
  if (now === null || before === null) return 0;
  if (figure.measure === 'percent') return Math.abs(now - before) * 2;
  return Math.abs(Math.log((now || 1) / (before || 1))) || relativeChange(now, before);
}

/** The team or the repository that bears at least half of the change of a figure, where there is one. */
export function groupBehind(
  whole: Pick<ComparedValue, 'now' | 'verdict'> & { readonly before: ComparedValue['before'] | undefined },
  groups: readonly ComparedGroup[],
): ComparedGroup | undefined {
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

const movedOf = ({ isCount }: KeyFigure, change: Pick<ComparedValue, 'now' | 'before'>): number =>
  movedIn(change, isCount);
