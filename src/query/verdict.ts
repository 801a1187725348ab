import type { JudgedForm } from '../catalogue/judged-form.ts';
import type { LikelyRange } from './likely-range.ts';

/** The verdict about a change. */
export type Verdict = 'up' | 'down' | 'about_the_same' | 'too_close' | 'too_few' | 'no_comparison';

/** The part of a window that a verdict depends on. */
export interface JudgedWindow {
  readonly value: number | null;
  /** How many values the value is made of; of a rate what it divides by; of a count the count itself. Null without a window. */
  readonly n: number | null;
  /** Between which numbers chance alone moves the value. Null where that is unknown. */
  readonly range: LikelyRange | null;
  /** How long the window is. */
  readonly days: number;
  /** Whether it is over, and all that happened in it is known. */
  readonly isComplete: boolean;
}

interface JudgedChange {
  /** Undefined where no change of such a number may be judged. */
  readonly form: JudgedForm | undefined;
  readonly current: JudgedWindow;
  readonly previous: JudgedWindow;
  /** Whether what is known reaches back over all of the earlier window. */
  readonly hasHistory: boolean;
  /** The better direction of a change, where there is one. */
  readonly better: 'lower' | 'higher' | undefined;
}

interface ChangeVerdict {
  /** Null where nothing may be judged. */
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
}

/** With fewer values, chance matters more than any real change. */
const minValuesJudged = 10;
/** A smaller change is none to speak of. */
const minChange = 0.03;
/** The smallest change of a rate, which is given in points. */
const minRateChange = 0.01;

/** Decides what may be said of a change, in colours or in words. Everything that speaks of changes asks here. */
export function judge(change: JudgedChange): ChangeVerdict {
  const verdict = verdictOf(change);
  const { better } = change;
  const isBetter =
    better && (verdict === 'up' || verdict === 'down') ? (verdict === 'up') === (better === 'higher') : null;
  return { verdict, isBetter };
}

function verdictOf({ form, current, previous, hasHistory }: JudgedChange): Verdict | null {
  if (!form) return null;
  if (!(hasHistory && current.isComplete && previous.isComplete)) return 'no_comparison';
  if (current.n === null || previous.n === null) return 'no_comparison';
  const enough = [current.n, previous.n].filter((n) => n >= minValuesJudged).length;
  if (enough < (form.kind === 'count' ? 1 : 2)) return 'too_few';
  const [now, before] = comparable(form, current, previous);
  if (now.value === null || before.value === null) return 'too_few';
  const difference = Math.abs(now.value - before.value);
  const least = form.kind === 'rate' ? minRateChange : minChange * Math.abs(before.value);
  if (difference < least || difference === 0) return 'about_the_same';
  if (overlap(now.range, before.range)) return 'too_close';
  return now.value > before.value ? 'up' : 'down';
}

type Compared = Pick<JudgedWindow, 'value' | 'range'>;

/** A longer window counts more. Counts of windows that are not equally long are compared by the day. */
function comparable({ kind }: JudgedForm, current: JudgedWindow, previous: JudgedWindow): [Compared, Compared] {
  const isByDay = kind === 'count' && current.days !== previous.days;
  return isByDay ? [perDay(current), perDay(previous)] : [current, previous];
}

function perDay({ value, range, days }: JudgedWindow): Compared {
  const each = (number: number | null): number | null => (number === null ? null : number / days);
  return { value: each(value), range: range && [each(range[0]), each(range[1])] };
}

/** A range without an end overlaps everything on that side. */
function overlap(one: LikelyRange | null, other: LikelyRange | null): boolean {
  if (!one || !other) return true;
  const [[low, high], [otherLow, otherHigh]] = [one, other];
  return isAtMost(low, otherHigh) && isAtMost(otherLow, high);
}

const isAtMost = (low: number | null, high: number | null): boolean => low === null || high === null || low <= high;

/** A result of an answer with verdicts, as far as words are made of it. */
export interface SaidVerdict {
  readonly verdict?: Verdict | null;
  readonly is_better?: boolean | null;
  readonly n?: number | null;
  readonly previous_n?: number | null;
  readonly change_percentage?: number | null;
}

const words: Readonly<Record<Verdict, string>> = {
  up: 'up',
  down: 'down',
  about_the_same: 'about the same',
  too_close: 'too close to call',
  too_few: 'too few to say',
  no_comparison: 'no comparison',
};

/** A verdict in the words of the pages; null where nothing is judged. */
export function verdictWords(result: SaidVerdict): string | null {
  const { verdict, is_better, n, previous_n } = result;
  if (!verdict) return null;
  const side = is_better === true ? ', better' : is_better === false ? ', worse' : '';
  const few = verdict === 'too_few' ? ` (${n ?? 0} and ${previous_n ?? 0})` : '';
  return `${words[verdict]}${isOnlyPerDay(result) ? ' per day' : ''}${side}${few}`;
}

/** Counts of months that are not equally long are compared by the day: more of them may be fewer per day. */
const isOnlyPerDay = ({ verdict, change_percentage: change }: SaidVerdict): boolean =>
  typeof change === 'number' && ((verdict === 'up' && change <= 0) || (verdict === 'down' && change >= 0));
