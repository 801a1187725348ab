import { describe, expect, test } from 'vitest';
import { bucketBefore } from '../../../web/src/ask/bucket-before.ts';
import { changeBehind } from '../../../web/src/ask/number-behind.ts';
import type { PanelState } from '../../../web/src/ask/view-state.ts';
import { aView } from '../pages/a-view.ts';

const [week, before] = [
  { start: '2026-11-02', end: '2026-11-08' },
  { start: '2026-10-26', end: '2026-11-01' },
];
const panel: PanelState = { metric: 'cycle-time', aggregation: 'MEDIAN', window: week };

describe('the bucket before', () => {
  const view = aView();

  test('A whole week stands beside the week before, also the first of the range', () => {
    expect(bucketBefore(view, panel)).toEqual(before);
    const [first] = [{ start: '2026-08-24', end: '2026-08-30' }];
    expect(bucketBefore(view, { ...panel, window: first })).toEqual({ start: '2026-08-17', end: '2026-08-23' });
  });

  test('A week that the range cuts, or that is under way, is compared with nothing, nor is the whole range', () => {
    const [start, end] = ['2026-08-20', '2026-11-12'];
    const cut = aView({ range: { start, end } });
    expect(bucketBefore(cut, panel)).toEqual(before);
    expect(bucketBefore(cut, { ...panel, window: { start, end: '2026-08-23' } })).toBeUndefined();
    expect(bucketBefore(cut, { ...panel, window: { start: '2026-11-09', end } })).toBeUndefined();
    expect(bucketBefore(cut, { metric: 'cycle-time' })).toBeUndefined();
  });

  test('Months are as long as they are', () => {
    const months = aView({ range: { start: '2026-01-01', end: '2026-10-31' } });
    const march = { start: '2026-03-01', end: '2026-03-31' };
    expect(bucketBefore(months, { ...panel, window: march })).toEqual({ start: '2026-02-01', end: '2026-02-28' });
  });
});

describe('the change of an opened number', () => {
  test('It is asked for like the number, beside the bucket before', () => {
    const change = changeBehind(aView(), panel, before);
    expect(change?.question).toMatchObject({
      path: '/metrics/cycle-time',
      body: {
        aggregation: 'MEDIAN',
        include_previous_period: true,
        previous_start_date: '2026-10-26',
        previous_end_date: '2026-11-01',
        filters: { start_date: '2026-11-02', end_date: '2026-11-08' },
      },
    });
    const row = { metric_name: 'cycle-time', value: 60, n: 20, previous_value: 90, previous_n: 30, verdict: 'down' };
    expect(change?.changeIn([{ ...row, is_better: true }])).toEqual({
      now: { value: 60, n: 20 },
      before: { value: 90, n: 30 },
      verdict: 'down',
      isBetter: true,
    });
    expect(change?.changeIn([])).toBeUndefined();
  });

  test('Of a group it is that of the group', () => {
    const change = changeBehind(aView(), { ...panel, where: { team_name: null } }, before);
    expect(change?.question.body.group_by).toEqual(['team_name']);
    const row = (team_name: string | null, value: number) => ({
      metric_name: 'cycle-time',
      value,
      group_by: { team_name },
    });
    expect(change?.changeIn([row('Checkout', 1), row('Ledger', 2), row(null, 3)])?.now.value).toBe(3);
    expect(change?.changeIn([row('Checkout', 1)])).toBeUndefined();
  });

  test('What counts records, or picks rows that no filter can choose, has none', () => {
    expect(changeBehind(aView(), { ...panel, where: { counted: 'records' } }, before)).toBeUndefined();
    expect(changeBehind(aView(), { ...panel, where: { weekday: '1' } }, before)).toBeUndefined();
  });
});
