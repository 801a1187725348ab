import { describe, expect, test } from 'vitest';
import { dayReach, timeBuckets } from '../../../web/src/ask/windows.ts';
import { flakyCommits, repeatedQuestion, workflowsOf } from '../../../web/src/pages/ci/questions.ts';
import { aView } from './a-view.ts';

const run = (head_sha: string | null, workflow_runs_count: number, workflow_name = 'CI') => ({
  workflow_name,
  repository_name: 'web',
  head_sha,
  workflow_runs_count,
});

describe('a flaky commit', () => {
  test('A flaky commit is one on which a workflow failed and passed', () => {
    const repeated = [run('both', 3), run('failed', 2), run('passed', 2)];
    const failing = [run('both', 1), run('failed', 2), run('once', 1)];
    expect(flakyCommits(repeated, failing)).toEqual([
      { workflow: 'CI', repository: 'web', sha: 'both', runs: 3, failures: 1 },
    ]);
  });

  test('A flaky commit belongs to one workflow: two workflows on one commit are two', () => {
    expect(flakyCommits([run('sha', 2)], [run('sha', 1, 'Deploy')])).toEqual([]);
  });

  test('A flaky commit is known: runs without a commit are no commit', () => {
    expect(flakyCommits([run(null, 9)], [run(null, 1)])).toEqual([]);
  });

  test('A flaky commit is looked for only where a workflow ended twice', () => {
    const { body } = repeatedQuestion(aView(), { start: '2026-10-01', end: '2026-10-31' });
    expect(body).toMatchObject({
      metric_min_values: { 'workflow-runs-count': 2 },
      filters: { start_date: '2026-10-01', run_conclusions: ['success', 'failure', 'timed_out'] },
    });
  });
});

test('Workflows of one name in two repositories are two, those with most runs first, each with its course', () => {
  const buckets = timeBuckets(
    { start: '2026-10-05', end: '2026-10-18' },
    'week',
    dayReach(undefined, 'UTC', '2026-11-16'),
  );
  const of = (repository_name: string, more: object) => ({ workflow_name: 'CI', repository_name, ...more });
  const [first, second] = workflowsOf(
    {
      all: [
        of('api', { workflow_runs_count: 2 }),
        of('web', { workflow_runs_count: 5, workflow_run_success_rate: 0.8, n_workflow_run_success_rate: 5 }),
      ],
      trends: [of('web', { week_date: '2026-10-12', median_workflow_run_duration: 60, n_workflow_run_duration: 5 })],
      cancelled: [of('web', { sum_workflow_run_duration: 90 })],
      attempts: [
        of('web', { run_attempt: 2, workflow_runs_count: 3 }),
        of('web', { run_attempt: 1, workflow_runs_count: 1 }),
      ],
      flaky: [{ workflow: 'CI', repository: 'web', sha: 'x', runs: 2, failures: 1 }],
    },
    buckets,
    'week',
  );
  expect(first).toMatchObject({
    repository: 'web',
    success: { value: 0.8, n: 5 },
    cancelledSeconds: 90,
    passedLater: 3,
    flaky: 1,
    trend: [{ value: null }, { value: 60, n: 5 }],
  });
  expect(second).toMatchObject({ repository: 'api', cancelledSeconds: 0, passedLater: 0, flaky: 0 });
});
