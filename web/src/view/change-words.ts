import type { Figure } from '../ask/figure.ts';
import { type Change, changeOf, shown } from './format.ts';

/** In place of a sentence whose figures are missing. */
export const notLoaded = 'Some figures could not be loaded.';

/** A figure and how a sentence names it. */
export interface CalledFigure {
  readonly called: string;
  readonly figure: Pick<Figure, 'now' | 'before' | 'measure' | 'better'>;
}

/** What became of a figure: `cycle time` `rose to 4d 17h`. */
export interface ChangeClause {
  readonly called: string;
  readonly became: string;
  readonly change: Change;
}

/** Fewer rows change by chance and stand in no sentence. */
const rowsLeast = 5;

function clauseOf({ called, figure: { now, before, measure, better } }: CalledFigure): ChangeClause | undefined {
  const change = changeOf(now.value, before?.value, measure, better);
  if (!change || change.direction === 'same') return undefined;
  if (Math.min(now.n ?? rowsLeast, before?.n ?? rowsLeast) < rowsLeast) return undefined;
  const verb = change.direction === 'up' ? 'rose' : 'fell';
  return { called, became: `${verb} to ${shown(now.value, measure)}`, change };
}

/** The largest change for the better and for the worse; where nobody can say which it is, the largest of all. */
export function clausesOf(figures: readonly CalledFigure[]): readonly ChangeClause[] {
  const clauses = figures
    .flatMap((figure) => clauseOf(figure) ?? [])
    .toSorted((a, b) => Math.abs(b.change.size) - Math.abs(a.change.size));
  const best = clauses.find(({ change }) => change.isGood === true);
  const worst = clauses.find(({ change }) => change.isGood === false);
  const named = [best, worst].filter((clause) => clause !== undefined);
  return named.length > 0 ? named : clauses.slice(0, 1);
}

/** Why a sentence names no change: there was none, or so few rows, now or before, that it would say nothing. */
export function noChange(figures: readonly CalledFigure[], what: string, before: string): string {
  const isAnyFew = figures.some(({ figure: { now, before: then, measure, better } }) => {
    if (now.value !== null && then?.value === null) return true;
    const change = changeOf(now.value, then?.value, measure, better);
    return change !== undefined && change.direction !== 'same';
  });
  return isAnyFew ? `Too few ${what} to compare with ${before}.` : `Hardly anything differs from ${before}.`;
}
