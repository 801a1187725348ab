import { secondsPerDay } from '../../../../src/calendar.ts';
import type { Point } from '../../ask/figure-question.ts';
import type { Row } from '../../ask/send.ts';
import { counted, duration } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';
import { openWorkOf } from './questions.ts';

/** Fewer issues than this, open or completed, are old or quick by chance. */
export const minIssues = 10;

/**
 * Half of the work under way is usually about as old as completed work took: what is begun replaces what ends. Work that takes
 * long is met more often on a given day, so that this alone makes it up to twice as old. Older than that it waits.
 */
export const maxAgeRatio = 2;

/** Started issues of which half are older than they should be. */
export interface OldWork {
  readonly issues: number;
  /** In seconds, as times of completed issues are. */
  readonly medianAge: number;
  readonly usual: number;
}

/**
 * Old work that belongs into the headline: only issues that were started, by their creation, since completed ones count from
 * there. The completed ones say what is usual. Undefined where it is no news.
 */
export function oldWorkOf(open: readonly Row[], today: string, usual: Point): OldWork | undefined {
  const { total, medianAge } = openWorkOf(
    open.filter(({ ticket_status }) => ticket_status === 'started'),
    today,
  );
  if (total < minIssues || (usual.n ?? 0) < minIssues || medianAge === null || !usual.value) return undefined;
  const age = medianAge * secondsPerDay;
  return age > maxAgeRatio * usual.value ? { issues: total, medianAge: age, usual: usual.value } : undefined;
}

export const oldWorkSentence = ({ issues, medianAge, usual }: OldWork, isOwn = false): SaidPart[] => [
  `Half of ${isOwn ? 'your' : 'the'} ${counted(issues, 'started issue', 'started issues')} have been open for `,
  { strong: `${duration(medianAge)} or more` },
  `, completed ones took ${duration(usual)}.`,
];
