import { shown } from '../charts/shown-value.ts';
import type { Verdict } from '../query/verdict.ts';
import { isOnlyPerDay, type ShownChange } from './verdict-words.ts';

/** The text in place of a sentence whose figures are missing. */
export const notLoaded = 'Some figures could not be loaded.';

/** A figure and how a sentence names it. */
export interface CalledFigure {
  readonly called: string;
  readonly figure: ShownChange;
}

/** A change in two parts: `cycle time` and `rose to 4d 17h`. */
export interface ChangeClause {
  readonly called: string;
  readonly became: string;
  readonly isBetter: boolean | null;
  /** The change relative to the value before, for finding the largest. */
  readonly size: number;
}

/** A sentence names only figures whose verdict is a change. */
function clauseOf({ called, figure: { now, before, verdict, isBetter, measure } }: CalledFigure): ChangeClause[] {
  if ((verdict !== 'up' && verdict !== 'down') || now.value === null || before?.value == null) return [];
  const isPerDay = isOnlyPerDay(now.value, before.value, verdict);
  const became = `${verdict === 'up' ? 'rose' : 'fell'}${isPerDay ? ' per day,' : ''} to ${shown(now.value, measure)}`;
  return [{ called, became, isBetter, size: relativeChange(now.value, before.value) }];
}

/** A change from zero counts as a change by all of the value. */
export const relativeChange = (now: number, before: number): number =>
  before === 0 ? 1 : Math.abs((now - before) / before);

/** The largest change for the better and for the worse; where no figure has a better side, the largest of all. */
export function clausesOf(figures: readonly CalledFigure[]): readonly ChangeClause[] {
  const clauses = figures.flatMap(clauseOf).toSorted((a, b) => b.size - a.size);
  const best = clauses.find(({ isBetter }) => isBetter === true);
  const worst = clauses.find(({ isBetter }) => isBetter === false);
  const named = [best, worst].filter((clause) => clause !== undefined);
  return named.length > 0 ? named : clauses.slice(0, 1);
}

/** The reason why a sentence names no change, by the verdicts of its figures. */
export function noChange(figures: readonly Pick<ShownChange, 'verdict'>[], what: string, before: string): string {
  const has = (verdict: Verdict): boolean => figures.some((figure) => figure.verdict === verdict);
  if (has('too_close')) {
    return has('about_the_same') ? `Nothing differs clearly from ${before}.` : `Too close to call against ${before}.`;
  }
  if (has('about_the_same')) return `About the same as ${before}.`;
  if (has('too_few')) return `Too few ${what} to compare with ${before}.`;
  if (has('no_comparison')) return `No comparison with ${before}: the data is not complete in both windows.`;
  return `Nothing to judge against ${before}.`;
}

/** The reason for an empty list. "Nothing changed" is said only where some groups could be compared. */
export function noGroupChanged(groups: readonly Pick<ShownChange, 'verdict'>[], before: string): string {
  const isCompared = groups.some(({ verdict }) => verdict === 'about_the_same' || verdict === 'too_close');
  return isCompared
    ? 'No big changes by team or repository.'
    : noChange(groups, 'records by team or repository', before);
}
