import { describe, expect, test } from 'vitest';
import { rowsBehind } from '../../../web/src/ask/rows-behind.ts';
import { weekdayOf } from '../../../web/src/ask/weekdays.ts';
import { whereWords } from '../../../web/src/view/where-words.ts';
import { aView } from '../pages/a-view.ts';

/** A record of its own has its own time as the average. */
const took = (cycle_time: number | null) => ({ cycle_time, median_cycle_time: cycle_time });

describe('rows that no filter can choose', () => {
  test('A bar of a histogram means the rows from its lower edge to below its upper one', () => {
    const { isMeant, question } = rowsBehind(aView(), {
      metric: 'cycle-time',
      where: { value_from: '3600', value_until: '7200' },
    });
    const meant = [3_599, 3_600, 7_199, 7_200, null].filter((cycle_time) => isMeant(took(cycle_time)));
    expect(meant).toEqual([3_600, 7_199]);
    expect(question.path).toBe('/metrics/get-multiple-metrics');
    expect(JSON.stringify(question.body)).not.toContain('value_from');
  });

  test('The last bar has no upper edge', () => {
    const { isMeant } = rowsBehind(aView(), { metric: 'cycle-time', where: { value_from: '3600' } });
    expect([3_599, 1e9].map((cycle_time) => isMeant(took(cycle_time)))).toEqual([false, true]);
  });

  test('A weekday is one of the organisation, not of UTC', () => {
    const { isMeant, question } = rowsBehind(aView(), {
      metric: 'reviews-by-time-of-day',
      where: { weekday: '0', review_hour_of_day: '0' },
    });
    const row = (reviewed_at: string) => ({ reviewed_at, review_hour_of_day: 0 });
    // Half past eleven in the evening of a summer Sunday in UTC is Monday in London.
    expect(isMeant(row('2026-07-05T23:30:00Z'))).toBe(true);
    expect(isMeant(row('2026-07-06T23:30:00Z'))).toBe(false);
    expect(question.body.group_by).toContain('reviewed_at');
    expect(weekdayOf('2026-11-16')).toBe(0);
  });

  test('A weekday and an hour can be those of another moment than that of the window', () => {
    const { isMeant, question } = rowsBehind(aView(), {
      metric: 'pickup-time',
      aggregation: 'MEDIAN',
      where: { moment: 'pr_created_at', weekday: '0', hour: '0' },
    });
    const opened = (pr_created_at: string, wait: number | null = 60) => ({ pr_created_at, median_pickup_time: wait });
    // Half past eleven in the evening of a summer Sunday in UTC is half past midnight of Monday in London.
    expect(isMeant(opened('2026-07-05T23:30:00Z'))).toBe(true);
    expect(isMeant(opened('2026-07-05T22:30:00Z'))).toBe(false);
    expect(isMeant(opened('2026-07-06T23:30:00Z'))).toBe(false);
    expect(isMeant(opened('2026-07-05T23:30:00Z', null))).toBe(false);
    expect(question.path).toBe('/metrics/get-multiple-metrics');
    expect(question.body.group_by).toContain('pr_created_at');
    expect(JSON.stringify(question.body)).not.toMatch(/moment|hour/);
  });

  test('Another date field than that of the metric is asked for', () => {
    const { question, picked } = rowsBehind(aView(), {
      metric: 'pull-requests-count',
      where: { date_field: 'pr_merged_at', deployment_attribution_status: 'deployed' },
    });
    expect(question.body.date_fields).toEqual({ 'pull-requests-count': 'pr_merged_at' });
    expect(picked).toEqual([{ column: 'deployment_attribution_status', is: 'equal', to: 'deployed' }]);
  });

  test('Rows that no filter can choose are said in words', () => {
    const where = { value_from: '3600', value_until: '7200', weekday: '6', date_field: 'pr_merged_at', status: null };
    expect(whereWords(where, 'duration')).toEqual(['by merged', 'Sunday', 'from 1h to 2h', 'result none']);
    const opened = { moment: 'pr_created_at', weekday: '4', hour: '9' };
    expect(whereWords(opened, 'duration')).toEqual(['opened Friday 09:00']);
  });
});
