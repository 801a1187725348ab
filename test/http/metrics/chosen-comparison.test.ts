import { describe, expect, test } from 'vitest';
import { asking, detailOf, unchangedMetrics } from './some-metrics.ts';

const service = unchangedMetrics();
const ask = asking(service);
const window = { start_date: '2024-03-24', end_date: '2024-03-30' };
const chosen = { previous_start_date: '2024-03-03', previous_end_date: '2024-03-09' };
const compared = { filters: window, include_previous_period: true };

interface Compared {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly previous_date_range: unknown };
}
const answerTo = async (metric: string, body: object) => (await ask(metric, body)).json as Compared;

describe('a window that the caller chose to compare with', () => {
  test('A chosen window gives the values that it has when it is asked by itself', async () => {
    const body = { aggregation: 'MEDIAN', ...compared, ...chosen };
    const { results, meta } = await answerTo('cycle-time?verdict=true', body);
    const [start_date, end_date] = [chosen.previous_start_date, chosen.previous_end_date];
    expect(meta.previous_date_range).toEqual({ start_date, end_date });
    const itself = { ...compared, aggregation: 'MEDIAN', filters: { start_date, end_date } };
    const [alone] = (await answerTo('cycle-time?verdict=true', itself)).results;
    expect(results[0]).toMatchObject({
      previous_value: alone?.value,
      previous_n: alone?.n,
      previous_range: alone?.range,
    });
  });

  test('An answer about one chosen window is not given for another', async () => {
    const other = { previous_start_date: '2024-02-01', previous_end_date: '2024-02-29' };
    const [one, two] = [
      await answerTo('pull-requests-count', { ...compared, ...chosen }),
      await answerTo('pull-requests-count', { ...compared, ...other }),
    ];
    expect(two.meta.previous_date_range).toEqual({ start_date: '2024-02-01', end_date: '2024-02-29' });
    expect(two.results[0]?.previous_value).not.toBe(one.results[0]?.previous_value);
  });

  test('Buckets of a chosen window are compared by their position', async () => {
    const { results } = await answerTo('pull-requests-count', { ...compared, ...chosen, date_level: 'day' });
    const alone = await ask('pull-requests-count', {
      filters: { start_date: chosen.previous_start_date, end_date: chosen.previous_end_date },
      date_level: 'day',
    });
    const counts = (alone.json as { pr_count: number }[]).map(({ pr_count }) => pr_count);
    expect(results.map(({ previous_value }) => previous_value)).toEqual(counts);
  });

  test('A chosen window needs both days and a comparison', async () => {
    const refused = async (body: object) => detailOf(await ask('pull-requests-count', body));
    expect(await refused({ ...compared, previous_start_date: '2024-03-03' })).toContain('go together');
    expect(await refused({ filters: window, ...chosen })).toContain('set include_previous_period');
    expect(await refused({ ...compared, ...chosen, previous_end_date: '2024-03-01' })).toContain(
      'previous_end_date must not be before previous_start_date',
    );
    expect(await refused({ ...compared, ...chosen, previous_end_date: '2024-03-09T10:00:00Z' })).toContain(
      'no timestamps',
    );
  });
});
