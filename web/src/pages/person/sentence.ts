import { fewRows } from '../../../../src/charts/chart-description.ts';
import type { Verdict } from '../../../../src/query/verdict.ts';
import { counted, shown } from '../../view/format.ts';

interface SaidPoint {
  readonly value: number | null;
  readonly n: number | null;
}

/** The part of a figure that the sentence uses. */
interface SaidFigure {
  readonly isFirst: boolean;
  readonly now: SaidPoint;
  readonly before: SaidPoint | undefined;
  readonly verdict: Verdict | null;
}

/** `They opened 12 pull requests, 15 before. Half of them took less than 2d 3h in all.` Few are no reason for a median. */
export function personSentence(figures: readonly SaidFigure[], isOwn: boolean): string {
  const [opened, cycle] = figures;
  if (!opened || opened.isFirst) return ' ';
  const who = isOwn ? 'You' : 'They';
  const count = opened.now.value ?? 0;
  // Where the history begins later, the number before is of fewer days.
  const before = opened.verdict === 'no_comparison' ? undefined : opened.before?.value;
  const compared = typeof before === 'number' ? `, ${shown(before, 'count')} before` : '';
  if (count === 0) return `${who} opened no pull request in this window${compared}.`;
  const median = cycle?.now.value;
  const isEnough = (cycle?.now.n ?? 0) >= fewRows && typeof median === 'number';
  const typical = isEnough ? ` Half of them took less than ${shown(median, 'duration')} in all.` : '';
  return `${who} opened ${counted(count, 'pull request', 'pull requests')}${compared}.${typical}`;
}
