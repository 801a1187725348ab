import { describe, expect, test } from 'vitest';
import { rowsBehind } from '../../../web/src/ask/rows-behind.ts';
import { viewOf } from '../../../web/src/ask/view.ts';
import { firstState } from '../../../web/src/ask/view-state.ts';

const range = { start: '2026-03-01', end: '2026-03-31' };
const view = viewOf({ ...firstState, range }, 'Europe/London', '2026-11-16');

describe('the rows behind a number', () => {
  test('are listed by the count metric of its table, by its date, the largest first', () => {
    const { question } = rowsBehind(view, {
      metric: 'cycle-time',
      aggregation: 'AVG',
      where: { repository: 'acme/web' },
    });
    expect(question.path).toBe('/metrics/pull-requests-count');
    expect(question.body).toMatchObject({
      filters: { start_date: '2026-03-01', end_date: '2026-03-31', repositories: ['acme/web'] },
      date_field: 'pr_merged_at',
      order_by: 'cycle_time',
      order_direction: 'DESC',
      limit: 200,
    });
  });

  test('that no filter can choose are looked for among all', () => {
    const { question, isMeant } = rowsBehind(view, {
      metric: 'deployment-success-rate',
      where: { status: 'failure', is_production: 'true', failure_reason: null },
    });
    expect(question.path).toBe('/metrics/get-multiple-metrics');
    const row = { status: 'failure', is_production: true, failure_reason: null, deployment_frequency: 0 };
    expect(isMeant(row)).toBe(true);
    expect(isMeant({ ...row, status: 'success' })).toBe(false);
    expect(isMeant({ ...row, is_production: false })).toBe(false);
    expect(isMeant({ ...row, failure_reason: 'incident' })).toBe(false);
  });

  test('leave out records without the value, and those that a count counts 0', () => {
    expect(rowsBehind(view, { metric: 'review-time', aggregation: 'AVG' }).isMeant({ review_time: null })).toBe(false);
    const { isMeant } = rowsBehind(view, { metric: 'deployment-frequency', where: { status: 'success' } });
    expect(isMeant({ status: 'success', deployment_frequency: 0 })).toBe(false);
    expect(isMeant({ status: 'success', deployment_frequency: 1 })).toBe(true);
  });
});
