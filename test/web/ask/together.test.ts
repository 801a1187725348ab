import { describe, expect, test } from 'vitest';
import { askTogether } from '../../../web/src/ask/together.ts';

const filters = { start_date: '2026-03-01', end_date: '2026-03-31' };

describe('metrics that are asked together', () => {
  test('Metrics that are asked together share one request where filters, buckets and grouping are the same', () => {
    const { questions, places } = askTogether([
      { metric: 'deployment-frequency', filters },
      { metric: 'cycle-time', aggregation: 'MEDIAN', filters },
      { metric: 'cycle-time', aggregation: 'MEDIAN', filters, level: 'week' },
    ]);
    expect(questions).toEqual([
      {
        path: '/metrics/get-multiple-metrics',
        body: {
          metrics: ['deployment-frequency', 'cycle-time'],
          filters,
          aggregations: { 'cycle-time': 'MEDIAN' },
        },
      },
      { path: '/metrics/cycle-time', body: { filters, aggregation: 'MEDIAN', date_level: 'week' } },
    ]);
    expect(places).toEqual([
      { question: 0, value: 'deployment_frequency', n: 'n_deployment_frequency' },
      { question: 0, value: 'median_cycle_time', n: 'n_cycle_time' },
      { question: 1, value: 'median_cycle_time', n: 'n' },
    ]);
  });

  test('Metrics that are asked together leave out what the reader may not see, so that a refusal takes no other figure along', () => {
    const { places } = askTogether([
      { metric: 'survey-responses-count', filters },
      { metric: 'pull-requests-count', filters },
      { metric: 'survey-recipients-count', filters },
    ]);
    expect(places.map(({ question }) => question)).toEqual([0, 1, 2]);
  });

  test('Metrics that are asked together stay apart where one request cannot hold both', () => {
    const narrowed = { ...filters, repositories: ['acme/web'] };
    const apart = [
      { metric: 'cycle-time', aggregation: 'MEDIAN', filters },
      { metric: 'cycle-time', aggregation: 'P90', filters },
      { metric: 'review-rate', filters: narrowed },
      { metric: 'salary', aggregation: 'AVG', filters },
      { metric: 'users-count', filters },
    ] as const;
    const { questions, places } = askTogether(apart);
    expect(questions).toHaveLength(apart.length);
    expect(places.map(({ question }) => question)).toEqual([0, 1, 2, 3, 4]);
    expect(places.every(({ n }) => n === 'n')).toBe(true);
  });
});
