import type { Listed, VisibleTo } from './stored-documents.ts';

export type GoalState =
  | 'met'
  | 'on_track'
  | 'at_risk'
  | 'off_track'
  | 'missed'
  | 'too_early'
  | 'too_few'
  | 'no_data'
  | 'limited';

/** A goal as people write it, teams by name. */
export interface GoalDocument {
  readonly goal?: string;
  readonly title: string;
  readonly metric: string;
  readonly aggregation?: string | null;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly should_be: 'below' | 'above';
  readonly value: number;
  readonly period: 'week' | 'month' | 'quarter';
  readonly from?: string;
  readonly until?: string | null;
  readonly visible_to?: VisibleTo;
}

export interface GoalPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly value: number | null;
  readonly n: number | null;
  readonly state: string;
}

/** How a goal stands: the period that speaks for it, if one does. */
export interface GoalStanding {
  readonly state: GoalState;
  readonly latest: GoalPeriod | null;
}

export type ListedGoal = GoalDocument & GoalStanding & Listed;

export interface GoalHistory extends GoalStanding {
  readonly periods: readonly GoalPeriod[];
}

/** How far the value is from its target; 0 where it is met. */
export function distanceOf(goal: Pick<GoalDocument, 'should_be' | 'value'>, value: number): number {
  const past = goal.should_be === 'below' ? value - goal.value : goal.value - value;
  return Math.max(0, past);
}
