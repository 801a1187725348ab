import { describe, expect, test } from 'vitest';
import { exploreLink } from '../../../web/src/ask/explore-link.ts';
import { numberBehind } from '../../../web/src/ask/number-behind.ts';
import { rowsBehind } from '../../../web/src/ask/rows-behind.ts';
import { viewOf } from '../../../web/src/ask/view.ts';
import { firstState } from '../../../web/src/ask/view-state.ts';

const range = { start: '2026-03-01', end: '2026-03-31' };
const view = viewOf({ ...firstState, range }, 'Europe/London', '2026-11-16');

describe('the rows behind a number', () => {
  test('The rows behind a number are listed by the metric itself, by its date, the largest first', () => {
    const { question, conditions } = rowsBehind(view, {
      metric: 'cycle-time',
      aggregation: 'MEDIAN',
      where: { repository: 'acme/web' },
    });
    expect(question.path).toBe('/metrics/cycle-time');
    expect(question.body).toMatchObject({
      filters: { start_date: '2026-03-01', end_date: '2026-03-31', repositories: ['acme/web'] },
      aggregation: 'MEDIAN',
      date_field: 'pr_merged_at',
      order_by: 'median_cycle_time',
      order_direction: 'DESC',
      limit: 200,
    });
    expect(conditions).toEqual([{ column: 'median_cycle_time', is: 'present' }]);
  });

  test('The rows behind a number that no filter can choose are looked for among all', () => {
    const { question, isMeant } = rowsBehind(view, {
      metric: 'deployment-success-rate',
      where: { status: 'failure', failure_reason: null },
    });
    expect(question.path).toBe('/metrics/get-multiple-metrics');
    const row = { status: 'failure', failure_reason: null, deployment_success_rate: 0 };
    expect(isMeant(row)).toBe(true);
    expect(isMeant({ ...row, status: 'success' })).toBe(false);
    expect(isMeant({ ...row, deployment_success_rate: null })).toBe(false);
    expect(isMeant({ ...row, failure_reason: 'incident' })).toBe(false);
  });

  test('The rows behind a number are chosen by a filter where one of the table finds the value, and none refuses it', () => {
    const days = rowsBehind(view, { metric: 'suggested-lines', aggregation: 'SUM', where: { source: 'cursor' } });
    expect(days.question.body.filters).toMatchObject({ ai_copilot_sources: ['cursor'] });
    const runsThat = (run_conclusion: string) =>
      rowsBehind(view, { metric: 'workflow-runs-count', where: { run_conclusion } });
    expect(runsThat('failure').question.body.filters).toMatchObject({ run_conclusions: ['failure'] });
    expect(runsThat('neutral').question.body.filters).not.toHaveProperty('run_conclusions');
    expect(runsThat('neutral').picked).toEqual([{ column: 'run_conclusion', is: 'equal', to: 'neutral' }]);
    const session = rowsBehind(view, { metric: 'posthook-sessions-count', where: { session_id: 's1' } });
    expect(session.question.body.filters).toMatchObject({ session_id: 's1' });
  });

  test('The rows behind a number show the value of each that the number is made of, where it can be asked for', () => {
    const shownOf = (metric: 'reviewers-per-pr' | 'pull-requests-size' | 'time-to-restore-p50' | 'salary') =>
      rowsBehind(view, { metric }).value;
    expect(shownOf('reviewers-per-pr')).toBe('reviewers_count');
    expect(shownOf('pull-requests-size')).toBe('additions');
    expect(shownOf('time-to-restore-p50')).toBe('time_to_restore');
    expect(shownOf('salary')).toBeUndefined();
  });

  test('The rows behind a number of a count are those that it counts, by the request alone', () => {
    const { question, conditions } = rowsBehind(view, { metric: 'deployment-frequency' });
    expect(question.body).toMatchObject({ metric_min_value: 1 });
    expect(conditions).toEqual([]);
    const picked = rowsBehind(view, { metric: 'deployment-frequency', where: { status: 'success' } });
    expect(picked.question.body).toMatchObject({ metric_min_values: { 'deployment-frequency': 1 } });
  });

  test('The rows behind a number of a mark that counts records have their number as a count, not as the share it is taken from', () => {
    const panel = { metric: 'deployment-success-rate', where: { status: 'failure', counted: 'records' } } as const;
    expect(rowsBehind(view, panel).picked.map(({ column }) => column)).toEqual(['status']);
    const rows = [
      { status: 'success', deployment_success_rate: 1, n: 9 },
      { status: 'failure', deployment_success_rate: 0, n: 2 },
    ];
    expect(numberBehind(view, panel)?.pointIn(rows)).toEqual({ value: 2, n: null });
  });

  test('The rows behind a number keep their filters in Explore, and are grouped by what no filter can choose by', () => {
    const link = exploreLink(view, {
      metric: 'deployment-success-rate',
      window: { start: '2026-03-02', end: '2026-03-08' },
      where: { status: 'failure', counted: 'records', repository: 'acme/web' },
    });
    const { pathname, searchParams } = new URL(link ?? '', 'http://plumb');
    expect([pathname, ...searchParams]).toEqual([
      '/explore',
      ['r', '2026-03-02.2026-03-08'],
      ['repo', 'acme/web'],
      ['metric', 'deployment-success-rate'],
      ['by', 'status'],
    ]);
    const runs = exploreLink(view, { metric: 'workflow-runs-count', where: { workflow_name: 'Deploy' } });
    expect(new URL(runs ?? '', 'http://plumb').searchParams.get('where')).toBe('{"workflow_names":["Deploy"]}');
  });

  test('The rows behind a number that are of a weekday or between two values have no place in Explore, which would show others', () => {
    for (const where of [{ weekday: '0' }, { value_from: '60' }, { value_until: '3600' }] as Record<string, string>[])
      expect(exploreLink(view, { metric: 'cycle-time', aggregation: 'MEDIAN', where })).toBeUndefined();
  });

  test('The rows behind a number of a share of people are a true 0 % where something was recorded, and nothing otherwise', () => {
    const behind = numberBehind(view, { metric: 'adoption-rate' });
    expect(behind?.byBucket?.body).toEqual({ ...behind?.question.body, date_level: 'year' });
    const total = { adoption_rate: 0, n: 7 };
    expect(behind?.pointIn([total], [{ ...total, year_date: '2026' }])).toEqual({ value: 0, n: 7 });
    expect(behind?.pointIn([total], [])).toEqual({ value: null, n: null });
    expect(numberBehind(view, { metric: 'review-rate' })?.byBucket).toBeUndefined();
  });

  test('The rows behind a number of a share of people are the records that are counted', () => {
    expect(rowsBehind(view, { metric: 'adoption-rate' }).question.path).toBe('/metrics/adopted-users');
  });
});
