import { type FigureSpec, numberIn, type Point, pointOf } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { askSeveral, type Question } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow, TimeBucket } from '../../ask/windows.ts';
import { ciFigureWords } from './words.ts';

const success = { metric: 'workflow-run-success-rate', label: ciFigureWords.succeeded } satisfies FigureSpec;
const usual = {
  metric: 'workflow-run-duration',
  aggregation: 'MEDIAN',
  label: ciFigureWords.durationMedian,
} satisfies FigureSpec;
const slowest = {
  metric: 'workflow-run-duration-p95',
  label: ciFigureWords.duration95thPercentile,
} satisfies FigureSpec;
const cost = {
  metric: 'estimated-workflow-run-cost',
  aggregation: 'SUM',
  label: ciFigureWords.estimatedCost,
} satisfies FigureSpec;
const cancelled = {
  metric: 'workflow-run-duration',
  aggregation: 'SUM',
  label: ciFigureWords.timeCancelledRuns,
  filters: { run_conclusions: ['cancelled'] },
} satisfies FigureSpec;
export const keyFigures: readonly FigureSpec[] = [success, usual, slowest, cost, cancelled];

/** What each workflow did in the window. One name in two repositories is two workflows. */
export const workflowsQuestion = (view: View): Question =>
  askSeveral(
    [
      'workflow-runs-count',
      'workflow-run-success-rate',
      'workflow-run-duration',
      'workflow-run-duration-p95',
      'estimated-workflow-run-cost',
    ],
    {
      filters: view.filtersFor('workflow-runs-count'),
      group_by: ['workflow_name', 'repository_name'],
      aggregations: { 'workflow-run-duration': 'MEDIAN', 'estimated-workflow-run-cost': 'SUM' },
    },
  );

export const workflowTrendsQuestion = (view: View): Question =>
  askSeveral(['workflow-run-duration'], {
    filters: view.filtersFor('workflow-run-duration'),
    group_by: ['workflow_name', 'repository_name'],
    date_level: view.level,
    aggregations: { 'workflow-run-duration': 'MEDIAN' },
  });

/** Machine time of cancelled runs, by workflow. */
export const cancelledQuestion = (view: View): Question =>
  askSeveral(['workflow-run-duration'], {
    filters: { ...view.filtersFor('workflow-run-duration'), run_conclusions: ['cancelled'] },
    group_by: ['workflow_name', 'repository_name'],
    aggregations: { 'workflow-run-duration': 'SUM' },
  });

const decided = ['success', 'failure', 'timed_out'];
const failed = ['failure', 'timed_out'];
const commitColumns = ['workflow_name', 'repository_name', 'head_sha'] as const;

/** Commits with two or more finished runs of one workflow: only these can have both failed and passed. */
export const repeatedQuestion = (view: View, window: DayWindow): Question =>
  askSeveral(['workflow-runs-count'], {
    filters: { ...view.filtersFor('workflow-runs-count', window), run_conclusions: decided },
    group_by: commitColumns,
    metric_min_values: { 'workflow-runs-count': 2 },
  });
export const failedQuestion = (view: View, window: DayWindow): Question =>
  askSeveral(['workflow-runs-count'], {
    filters: { ...view.filtersFor('workflow-runs-count', window), run_conclusions: failed },
    group_by: commitColumns,
  });
/** Runs that passed, by attempt: one that passed at a later attempt did not pass at first. */
export const attemptsQuestion = (view: View): Question =>
  askSeveral(['workflow-runs-count'], {
    filters: { ...view.filtersFor('workflow-runs-count'), run_conclusions: ['success'] },
    group_by: ['workflow_name', 'repository_name', 'run_attempt'],
  });

/** A commit on which a workflow failed and passed although nothing had changed. */
interface FlakyCommit {
  readonly workflow: string;
  readonly repository: string;
  readonly sha: string;
  readonly runs: number;
  readonly failures: number;
}

const named = (row: Row, column: string): string => textOf(row[column]) ?? ciFigureWords.none;
const workflowKey = (row: Row): string => `${named(row, 'repository_name')} ${named(row, 'workflow_name')}`;

export function flakyCommits(repeated: readonly Row[], failing: readonly Row[]): FlakyCommit[] {
  const keyOf = (row: Row): string => JSON.stringify(commitColumns.map((column) => row[column]));
  const failures = new Map(failing.map((row) => [keyOf(row), numberIn(row, 'workflow_runs_count') ?? 0]));
  return repeated.flatMap((row) => {
    const runs = numberIn(row, 'workflow_runs_count') ?? 0;
    const bad = failures.get(keyOf(row)) ?? 0;
    const sha = textOf(row.head_sha);
    if (sha === null || bad === 0 || bad >= runs) return [];
    return {
      workflow: named(row, 'workflow_name'),
      repository: named(row, 'repository_name'),
      sha,
      runs,
      failures: bad,
    };
  });
}

/** One workflow of one repository. */
export interface Workflow {
  readonly key: string;
  readonly name: string;
  readonly repository: string;
  readonly runs: number;
  readonly success: Point;
  readonly duration: Point;
  readonly p95: Point;
  readonly cost: number | null;
  readonly cancelledSeconds: number;
  readonly flaky: number;
  readonly passedLater: number;
  readonly trend: readonly Point[];
}

interface WorkflowRows {
  readonly all: readonly Row[];
  readonly trends: readonly Row[];
  readonly cancelled: readonly Row[];
  readonly attempts: readonly Row[];
  readonly flaky: readonly FlakyCommit[];
}

/** Workflows with the most runs first. */
export function workflowsOf(rows: WorkflowRows, buckets: readonly TimeBucket[], level: string): Workflow[] {
  const places = new Map(buckets.map(({ name }, at) => [name, at]));
  const trends = new Map<string, Point[]>();
  for (const row of rows.trends) {
    const points = trends.get(workflowKey(row)) ?? buckets.map(() => ({ value: null, n: null }));
    trends.set(workflowKey(row), points);
    const at = places.get(String(row[`${level}_date`]));
    if (at !== undefined)
      points[at] = {
        value: numberIn(row, 'median_workflow_run_duration'),
        n: numberIn(row, 'n_workflow_run_duration'),
      };
  }
  const sumBy = (some: readonly Row[], column: string): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const row of some)
      sums.set(workflowKey(row), (sums.get(workflowKey(row)) ?? 0) + (numberIn(row, column) ?? 0));
    return sums;
  };
  const wasted = sumBy(rows.cancelled, 'sum_workflow_run_duration');
  const later = sumBy(
    rows.attempts.filter((row) => (numberIn(row, 'run_attempt') ?? 1) > 1),
    'workflow_runs_count',
  );
  const flaky = new Map<string, number>();
  for (const { repository, workflow } of rows.flaky) {
    const key = `${repository} ${workflow}`;
    flaky.set(key, (flaky.get(key) ?? 0) + 1);
  }
  return rows.all
    .map((row) => {
      const key = workflowKey(row);
      const of = (metric: string, column = metric): Point => ({
        ...pointOf(row, column),
        n: numberIn(row, `n_${metric}`),
      });
      return {
        key,
        name: named(row, 'workflow_name'),
        repository: named(row, 'repository_name'),
        runs: numberIn(row, 'workflow_runs_count') ?? 0,
        success: of('workflow_run_success_rate'),
        duration: of('workflow_run_duration', 'median_workflow_run_duration'),
        p95: of('workflow_run_duration_p95'),
        cost: pointOf(row, 'sum_estimated_workflow_run_cost', 'n_estimated_workflow_run_cost').value,
        cancelledSeconds: wasted.get(key) ?? 0,
        flaky: flaky.get(key) ?? 0,
        passedLater: later.get(key) ?? 0,
        trend: trends.get(key) ?? [],
      };
    })
    .toSorted((a, b) => b.runs - a.runs || a.key.localeCompare(b.key));
}
