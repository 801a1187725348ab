import type { ChartMeasure } from '../charts/chart-description.ts';
import { shown } from '../charts/shown-value.ts';
import type { Verdict } from '../query/verdict.ts';
import type { MeasuredValue } from './compared.ts';
import { countOf } from './counted-words.ts';
import { differenceText } from './number-words.ts';

/** A number beside that of another window, with the server's verdict on the change. */
export interface ShownChange {
  readonly now: MeasuredValue;
  /** Undefined where nothing is compared. */
  readonly before: MeasuredValue | undefined;
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
  readonly measure: ChartMeasure;
  /** False where one of the windows is not known in full. For what it judges, the server says so itself. */
  readonly isComparable?: boolean;
}

/**
 * The text about a change: its verdict, or that numbers without a verdict come from windows that cannot be compared.
 */
export const saidVerdict = ({ verdict, isComparable = true }: ShownChange): Verdict | null =>
  verdict ?? (isComparable ? null : 'no_comparison');

/** A change in words, with a colour and an arrow only where the verdict has a direction. */
interface SaidChange {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'secondary';
  readonly arrow?: '↑' | '↓';
  /** On hover: the number before, and why there is no comparison. */
  readonly more: string;
}

/** With fewer values in one of the windows the server gives no verdict. */
const minValuesJudged = 10;

/** Turns a verdict into the text beside a number. No other code of the pages describes a change. */
export function changeWords(change: ShownChange, of = 'values'): SaidChange {
  const { now, before, isBetter, measure } = change;
  const verdict = saidVerdict(change);
  const earlier = shown(before?.value ?? null, measure);
  const more = `before: ${earlier}`;
  const withBefore = (text: string): string => (hasBefore(change) ? `${text}, ${earlier} before` : text);
  const plain = (text: string): SaidChange => ({ text, tone: 'secondary', more });
  const moved = movedBy(change);
  if (moved) {
    const tone = isBetter === null ? 'secondary' : isBetter ? 'good' : 'bad';
    return { text: moved, tone, arrow: verdict === 'up' ? '↑' : '↓', more };
  }
  switch (verdict) {
    case 'about_the_same':
      return plain('About the same');
    case 'too_close':
      return plain('Too close to call');
    case 'too_few': {
      const isNow = (now.n ?? 0) < minValuesJudged;
      const few = countOf((isNow ? now.n : before?.n) ?? 0, of);
      return plain(withBefore(`${few}${isNow ? '' : ' before'}: too few to say`));
    }
    case 'no_comparison':
      return { ...plain(withBefore('No comparison')), more: `${more}. ${whyNoComparison}` };
    default:
      return plain(hasBefore(change) ? `${earlier} before` : 'nothing to compare with');
  }
}

const whyNoComparison = 'The data is not complete in both windows.';

const hasBefore = ({ before }: ShownChange): boolean => before !== undefined && before.value !== null;

/** How far a number moved, where the verdict is a change. */
function movedBy({ now, before, verdict, measure }: ShownChange): string | undefined {
  if (verdict !== 'up' && verdict !== 'down') return undefined;
  if (now.value === null || before === undefined || before.value === null) return undefined;
  if (isOnlyPerDay(now.value, before.value, verdict)) return verdict === 'up' ? 'more per day' : 'fewer per day';
  return differenceText(now.value, before.value, measure);
}

/** Counts of months that are not equally long are compared by the day: more in March than in February may be fewer per day. */
export const isOnlyPerDay = (now: number, before: number, verdict: 'up' | 'down'): boolean =>
  verdict === 'up' ? now <= before : now >= before;

/**
 * The part of a sentence after a number: `, 10h shorter than in the 90 days before`. Without the name of the other
 * window, because the sentence has it already, it is as short as `, 10h shorter`.
 */
export function changeClause(change: ShownChange, before?: string): string {
  const moved = movedBy(change);
  // The words say the direction.
  if (moved) return `, ${moved.replace(/^[+−]/, '')}${before ? ` than in ${before}` : ''}`;
  switch (saidVerdict(change)) {
    case 'about_the_same':
      return `, about the same as ${before ? `in ${before}` : 'before'}`;
    case 'too_close':
      return `, too close to call against ${before ?? 'before'}`;
    case 'too_few':
      return `, too few to compare with ${before ?? 'before'}`;
    case 'no_comparison':
      return before ? `, with nothing complete to compare with in ${before}` : '';
    default:
      return hasBefore(change)
        ? `, ${shown(change.before?.value, change.measure)} ${before ? `in ${before}` : 'before'}`
        : '';
  }
}
