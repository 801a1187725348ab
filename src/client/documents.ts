import type { AggregationName } from './catalogue.ts';
import type { MetricName } from './question.ts';

/** What every list says of a document. */
export interface ListedDocument {
  /** Null once that person is removed: then it belongs to the Owners. */
  readonly owner: { readonly merged_user_id: string; readonly name: string } | null;
  readonly may_change: boolean;
  readonly changed_at: string;
}

type PeriodState = 'met' | 'missed' | 'too_few' | 'no_data' | 'incomplete' | 'limited';

/** One whole period of a goal. */
export interface AnsweredPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly value: number | null;
  /** How many values the value is made of. */
  readonly n: number | null;
  /** `limited`: the caller does not see everyone whom the goal is about. */
  readonly state: PeriodState;
}

interface AnsweredStanding {
  readonly state: Exclude<PeriodState, 'incomplete'> | 'on_track' | 'at_risk' | 'off_track' | 'too_early';
  /** The period that the state is that of. */
  readonly latest: AnsweredPeriod | null;
  readonly unit: string | null;
}

interface GoalTarget {
  readonly goal: string;
  readonly metric: MetricName;
  readonly aggregation: AggregationName | null;
  readonly should_be: 'below' | 'above';
  readonly value: number;
}

/** A goal that the caller may see, and what can be said of it now. */
export interface ListedGoal extends GoalTarget, AnsweredStanding, ListedDocument {
  readonly title: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly period: 'week' | 'month' | 'quarter';
  readonly from: string;
  readonly until: string | null;
  readonly visible_to: 'organisation' | 'me' | { readonly team: string };
}

/** The whole periods of a goal, earliest first. */
export interface AnsweredGoalHistory extends GoalTarget, AnsweredStanding {
  readonly data_through: string | null;
  readonly unmatched_filters?: Readonly<Record<string, readonly unknown[]>>;
  readonly periods: readonly AnsweredPeriod[];
}

/** What happened on a day, or on several. */
export interface ListedAnnotation extends ListedDocument {
  readonly annotation: string;
  readonly at: string;
  readonly until: string | null;
  readonly title: string;
  readonly kind: 'release' | 'incident' | 'reorganisation' | 'rollout' | 'other';
  readonly filters: { readonly team?: readonly string[]; readonly repositories?: readonly string[] };
}

/** Days of which one at least belongs to what is listed. */
export interface DaysAsked {
  readonly start_date?: string;
  readonly end_date?: string;
}
