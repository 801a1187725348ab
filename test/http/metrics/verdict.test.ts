import { describe, expect, test } from 'vitest';
import { asking, detailOf, march, unchangedMetrics } from './some-metrics.ts';

const service = unchangedMetrics();
const ask = asking(service);
const get = (path: string) => service().request('GET', `/metrics/${path}`, { key: service().keys.owner });

/** Two weeks with a pull request a day, after two weeks with as many. */
const weeks = { start_date: '2024-03-17', end_date: '2024-03-30' };
const compared = { filters: weeks, include_previous_period: true };
const inAddress = 'start_date=2024-03-17&end_date=2024-03-30&include_previous_period=true';

describe('verdict=true', () => {
  test('verdict=true judges a change in a body and in an address alike, and nothing changes without it', async () => {
    const plain = await ask('pull-requests-count', compared);
    const judged = await ask('pull-requests-count?verdict=true', compared);
    const [result] = (plain.json as { results: object[] }).results;
    const [more] = (judged.json as { results: object[] }).results;
    expect(more).toEqual({
      ...result,
      n: 14,
      previous_n: 14,
      range: [expect.closeTo(9.64, 2), expect.closeTo(20.34, 2)],
      previous_range: [expect.closeTo(9.64, 2), expect.closeTo(20.34, 2)],
      verdict: 'about_the_same',
      is_better: null,
    });
    expect((await get(`pull-requests-count?${inAddress}&verdict=true`)).json).toEqual(judged.json);
    expect((await ask('pull-requests-count?verdict=true&n=true', compared)).json).toEqual(judged.json);
    expect((await ask('pull-requests-count', compared)).json).toEqual(plain.json);
  });

  test('verdict=true compares nothing that began before the first record or is not over', async () => {
    for (const filters of [march, { start_date: '2024-04-04', end_date: '2024-04-10' }]) {
      const { json } = await ask('pull-requests-count?verdict=true', { ...compared, filters });
      expect(json).toMatchObject({ results: [{ verdict: 'no_comparison', is_better: null }] });
    }
  });

  test('verdict=true of several metrics gives each its own', async () => {
    const body = { ...compared, metrics: ['pull-requests-count', 'cycle-time'], aggregations: { 'cycle-time': 'SUM' } };
    const { json } = await ask('get-multiple-metrics?verdict=true', body);
    expect(json).toMatchObject({
      results: [
        { metric_name: 'pull-requests-count', n: 14, verdict: 'about_the_same' },
        { metric_name: 'cycle-time', n: 14, verdict: null, range: null, previous_range: null },
      ],
    });
  });

  test('verdict=true is refused with what would be right wherever nothing is compared', async () => {
    const body = { filters: weeks };
    const series = { ...compared, time_series_data: true };
    const benchmark = { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters: weeks };
    const period = 'verdict=true judges the change since the period before: set include_previous_period to true';
    const refused: [Promise<{ status: number; json: unknown; text: string }>, string][] = [
      [ask('pull-requests-count?verdict=true', body), period],
      [ask('get-multiple-metrics?verdict=true', { ...body, metrics: ['pull-requests-count'] }), period],
      [get('pull-requests-count?start_date=2024-03-17&verdict=true'), period],
      [ask('pull-requests-count?verdict=true', series), 'leave out time_series_data, or verdict.'],
      [ask('benchmark?verdict=true', benchmark), 'Leave out verdict, or ask the metric itself'],
      [ask('date-details?verdict=true', body), 'has no values whose change could be judged. Leave out verdict.'],
      [
        ask('pull-requests-count/explain?verdict=true', compared),
        'Leave out verdict, or ask the metric without /explain',
      ],
      [get('pull-requests-count/chart.svg?start_date=2024-03-17&verdict=true'), 'set include_previous_period to true'],
      [ask('pull-requests-count?verdict=yes', compared), "The query parameter verdict takes 'true', once."],
      [
        ask('pull-requests-count?verdict=true&verdict=true', compared),
        "The query parameter verdict takes 'true', once.",
      ],
    ];
    for (const [answer, sentence] of refused) {
      const found = await answer;
      expect([found.status, detailOf(found as never)]).toEqual([400, expect.stringContaining(sentence)]);
    }
  });
});
