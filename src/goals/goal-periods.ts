import { addDays, daysBetween, monthNumber, nextBucket, startOfBucket, type TimeZone } from '../calendar.ts';
import { isCompleteAt } from '../query/judged-changes.ts';
import type { Extent } from '../query/question-port.ts';
import type { Window } from '../query/request-window.ts';

export const goalLevels = ['week', 'month', 'quarter'] as const;
export type GoalLevel = (typeof goalLevels)[number];

/** What can be said of one whole period. */
export const periodStates = ['met', 'missed', 'too_few', 'no_data', 'incomplete', 'limited'] as const;
export type PeriodState = (typeof periodStates)[number];

/** One whole period of a goal. */
export interface GoalPeriod {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Null where there is none, or where the reader may not know it. */
  readonly value: number | null;
  /** How many values the value is made of. Null where the reader may not know it. */
  readonly n: number | null;
  readonly state: PeriodState;
}

/** On which side of which value a goal is met. The value itself is met. */
export interface GoalTarget {
  readonly should_be: 'below' | 'above';
  readonly value: number;
}

/** A median of fewer values says little, and a goal for fewer people would be one for each of them. */
export const minGoalValues = 5;

const isMetBy = (value: number, { should_be, value: target }: GoalTarget): boolean =>
  should_be === 'below' ? value <= target : value >= target;

/** The last periods that are over, earliest first. */
export function wholePeriods(level: GoalLevel, count: number, zone: TimeZone, now: Date): Window[] {
  const periods: Window[] = [];
  let after = startOfBucket(level, zone.dayAt(now.getTime() / 1_000));
  while (periods.length < count) {
    const firstDay = startOfBucket(level, addDays(after, -1));
    periods.push({
      firstDay,
      lastDay: addDays(after, -1),
      from: zone.startOf(firstDay),
      until: zone.startOf(after),
    });
    after = firstDay;
  }
  return periods.reverse();
}

/** How many periods are over that begin on a day or after it. */
export function countPeriodsSince(day: string, level: GoalLevel, zone: TimeZone, now: Date): number {
  const current = startOfBucket(level, zone.dayAt(now.getTime() / 1_000));
  const start = startOfBucket(level, day);
  const first = start < day ? nextBucket(level, start) : start;
  if (current <= first) return 0;
  if (level === 'week') return daysBetween(first, current) / 7;
  return (monthNumber(current) - monthNumber(first)) / (level === 'month' ? 1 : 3);
}

/** What the tables say of a period. */
interface PeriodValue {
  readonly value: number | null;
  readonly n: number;
}

/** What decides, besides the value, what can be said of a period. */
interface PeriodRules {
  readonly target: GoalTarget;
  /** Whether the value is a count or a sum: then few are enough for a state, and no rows count as 0. */
  readonly addsUp: boolean;
  /** Whether the filters select fewer people than a goal may be about. */
  readonly hasTooFewPeople: boolean;
  readonly extent: Pick<Extent, 'since' | 'through'>;
  readonly now: Date;
}

/** The state of a whole period. Before the history begins, and after the data ends, a count of 0 is no count. */
export function stateOfPeriod(period: Window, { value, n }: PeriodValue, rules: PeriodRules): PeriodState {
  const { target, addsUp, hasTooFewPeople, extent, now } = rules;
  if (!isCompleteAt(period, extent.through, now)) return 'incomplete';
  if (hasTooFewPeople) return 'too_few';
  if (value === null || (n === 0 && !isKnown(period, extent))) return 'no_data';
  if (!addsUp && n < minGoalValues) return 'too_few';
  return isMetBy(value, target) ? 'met' : 'missed';
}

/** Whether any of the period lies between the beginning of the history and the end of the data. */
const isKnown = (
  { from, until }: Pick<Window, 'from' | 'until'>,
  { since, through }: Pick<Extent, 'since' | 'through'>,
): boolean => since !== undefined && through !== undefined && since < until && from < through;
