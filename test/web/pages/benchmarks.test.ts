import { describe, expect, test } from 'vitest';
import { isMetric } from '../../../web/src/ask/metric-facts.ts';
import { parametersOf } from '../../../web/src/ask/question.ts';
import { requestTexts } from '../../../web/src/ask/request-texts.ts';
import {
  benchmarkName,
  benchmarkQuestion,
  benchmarks,
  benchmarksOf,
  isGoodStanding,
  scaleOf,
  standingOf,
  trendSpec,
} from '../../../web/src/pages/benchmarks/questions.ts';
import { aView } from './a-view.ts';

const question = benchmarkQuestion(aView(), 'cycle-time', 'merged_at');
const quartiles = { low: 10, middle: 20, high: 40 };

test('A benchmark is asked as its curl says, without durations, which it does not take', () => {
  expect(parametersOf(question)).toBe('n=true');
  expect(requestTexts(question, 'http://plumb').curl).toContain("'http://plumb/metrics/benchmark?n=true'");
});

test('One request answers several metrics; without enough others there is no band', () => {
  const result = { value: 5, n: 40, benchmark_p25: 1, benchmark_p50: 2, benchmark_p75: 3, percentile: 60 };
  const none = { ...result, benchmark_p25: null, benchmark_p50: null, benchmark_p75: null, percentile: null };
  const rows = benchmarksOf(
    {
      results: [
        { ...result, metric_name: 'cycle-time' },
        { ...none, metric_name: 'pickup-time' },
        { ...result, metric_name: 'no-such-metric' },
      ],
      meta: { organisations: 5 },
    },
    'merged_at',
    question,
  );
  expect(rows.map(({ metric, quartiles: band }) => [metric, band])).toEqual([
    ['cycle-time', { low: 1, middle: 2, high: 3 }],
    ['pickup-time', undefined],
  ]);
});

describe('where a value stands', () => {
  test('Where a value stands is a quarter or the middle half, its edges included', () => {
    expect([9, 10, 40, 41].map((value) => standingOf({ value, n: 30, quartiles }))).toEqual([
      'lower',
      'middle',
      'middle',
      'upper',
    ]);
    expect(standingOf({ value: null, n: 30, quartiles })).toBeUndefined();
  });

  test('Where a value stands is nowhere where it rests on few records', () => {
    expect(standingOf({ value: 9, n: 29, quartiles })).toBeUndefined();
  });

  test('Where a value stands is good by which way is better, and says nothing in the middle', () => {
    expect(isGoodStanding('lower', 'lower')).toBe(true);
    expect(isGoodStanding('lower', 'higher')).toBe(false);
    expect(isGoodStanding('middle', 'lower')).toBeUndefined();
    expect(isGoodStanding('upper', null)).toBeUndefined();
  });

  test('Where a value stands is drawn on a scale from zero that holds everything', () => {
    const places = scaleOf(100, quartiles);
    expect(places.low).toBeLessThan(places.middle);
    expect(places.high).toBeLessThan(places.value ?? 0);
    expect(places.value).toBeLessThan(1);
    expect(scaleOf(0, { low: 0, middle: 0, high: 0 })).toEqual({ low: 0, middle: 0, high: 0, value: 0 });
  });
});

test('Durations and sizes are compared by their medians, as the other pages show them', () => {
  const asked = benchmarks.map(({ metric, dateField }) => benchmarkQuestion(aView(), metric, dateField).body);
  expect(
    asked.flatMap(({ benchmark_metric, aggregation }) => (aggregation ? [[benchmark_metric, aggregation]] : [])),
  ).toEqual([
    ['cycle-time', 'MEDIAN'],
    ['pull-requests-size', 'MEDIAN'],
  ]);
  expect(['cycle-time', 'review-rate'].filter(isMetric).map(benchmarkName)).toEqual([
    'Cycle time, median',
    'Review rate',
  ]);
});

test('The course is by the statistic of the band, and a count has none', () => {
  expect(trendSpec({ metric: 'cycle-time', dateField: 'merged_at' })).toMatchObject({ aggregation: 'MEDIAN' });
  expect(trendSpec({ metric: 'review-rate', dateField: 'created_at' })).not.toHaveProperty('aggregation');
  expect(trendSpec({ metric: 'deployment-frequency', dateField: 'deployed_at' })).toBeUndefined();
});
