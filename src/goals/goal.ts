import { type Metric, takesAggregation } from '../catalogue/metric.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import type { GoalLevel, GoalTarget } from './goal-periods.ts';

/** What a team wants a metric to be. */
export interface Goal extends GoalTarget {
  readonly goal: string;
  readonly title: string;
  readonly metric: string;
  /** In capitals; null where the metric takes none. */
  readonly aggregation: string | null;
  /** Filters of the metric, as a question has them. Teams by id. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly period: GoalLevel;
  /** The first day of the goal. */
  readonly from: string;
  /** The day by which it is to be met. */
  readonly until: string | null;
}

export function metricOf({ metric: name }: Pick<Goal, 'metric'>): Metric {
  const metric = metrics.get(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  return metric;
}

/** Whether the value of a goal is a count or a sum. */
export function addsUpIn(goal: Pick<Goal, 'metric' | 'aggregation'>): boolean {
  const metric = metricOf(goal);
  return metric.kind === 'count' || (takesAggregation(metric) && goal.aggregation === 'SUM');
}
