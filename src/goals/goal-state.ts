import { dayNumber } from '../calendar.ts';
import type { GoalPeriod, GoalTarget } from './goal-periods.ts';

/** What can be said of a goal now. */
export const goalStates = [
  'met',
  'on_track',
  'at_risk',
  'off_track',
  'missed',
  'too_early',
  'too_few',
  'no_data',
  'limited',
] as const;
export type GoalState = (typeof goalStates)[number];

/** The part of a goal that its state depends on. */
interface JudgedGoal extends GoalTarget {
  /** The first day of the goal. */
  readonly from: string;
  /** The day by which it is to be met, where there is one. */
  readonly until: string | null;
}

/** So many periods before the last one may speak for the goal where later ones have too few values. */
const maxPeriodsBack = 3;
/** With fewer periods a line says nothing. */
const minPeriodsOfLine = 3;
/** A goal is at risk where it will be missed by no more than this share of the way from the first period. */
const riskShare = 1 / 5;

type JudgedPeriod = GoalPeriod & { readonly state: 'met' | 'missed' };

const isJudged = (period: GoalPeriod): period is JudgedPeriod => period.state === 'met' || period.state === 'missed';

/**
 * The state of a goal, whose whole periods come earliest first and reach back to its first day: that of the last period
 * with enough values. A missed goal with a day to be met by is judged by where it is heading.
 */
export function stateOfGoal(goal: JudgedGoal, periods: readonly GoalPeriod[]): GoalState {
  const latest = latestJudged(periods);
  if (!latest) return 'no_data';
  const { until } = goal;
  const isOver = until === null || until <= (periods.at(-1)?.lastDay ?? until);
  if (latest.state === 'met' || isOver) return latest.state;
  const since = periods.filter((period) => period.firstDay >= goal.from && isJudged(period));
  return since.length < minPeriodsOfLine ? 'too_early' : courseOf(goal, until, since);
}

/** The period that speaks for the goal: the last with enough values, unless too many later ones have none. */
export const latestJudged = (periods: readonly GoalPeriod[]): JudgedPeriod | undefined =>
  periods.slice(-1 - maxPeriodsBack).findLast(isJudged);

/** Where a missed goal is heading, by the line through its periods, each of which stands at its last day. */
function courseOf(
  goal: JudgedGoal,
  until: string,
  periods: readonly GoalPeriod[],
): 'on_track' | 'at_risk' | 'off_track' {
  const points = periods.map(({ lastDay, value }) => ({ x: dayNumber(lastDay), y: value ?? 0 }));
  const { slope, valueAt } = lineThrough(points);
  const distance = Math.abs((points[0]?.y ?? 0) - goal.value);
  const leadsAway = goal.should_be === 'below' ? slope > 0 : slope < 0;
  if (distance === 0 || leadsAway) return 'off_track';
  const expected = valueAt(dayNumber(until));
  const miss = goal.should_be === 'below' ? expected - goal.value : goal.value - expected;
  // Sums of days and values may miss an equal number by a rounding.
  const rounding = distance * 1e-9;
  if (miss <= rounding) return 'on_track';
  return miss <= distance * riskShare + rounding ? 'at_risk' : 'off_track';
}

interface CoursePoint {
  readonly x: number;
  readonly y: number;
}

/** The line with the least squares of what points lie above or below it. */
function lineThrough(points: readonly CoursePoint[]): {
  readonly slope: number;
  readonly valueAt: (x: number) => number;
} {
  const mean = (of: (point: CoursePoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = mean((point) => (point.x - x) ** 2);
  const slope = spread === 0 ? 0 : mean((point) => (point.x - x) * (point.y - y)) / spread;
  return { slope, valueAt: (at) => y + slope * (at - x) };
}
