import { describe, expect, test } from 'vitest';
import { axisOf, logarithmicMarks } from '../../../src/charts/chart-axes.ts';
import type { CategoryChart, HeatMapChart } from '../../../src/charts/chart-description.ts';
import { chartSentence, chartTable, markSentence, markWords } from '../../../web/src/view/chart-words.ts';

const chart: CategoryChart = {
  kind: 'line',
  title: 'Cycle time',
  measure: 'duration',
  categories: [
    { label: '2 Mar', name: 'week of 2 March' },
    { label: '9 Mar', name: 'week of 9 March' },
    { label: '16 Mar', name: 'week of 16 March', part: 'so far' },
  ],
  series: [
    { name: 'median', points: [{ value: 86_400, n: 12 }, { value: 172_800, n: 3 }, { value: null }] },
    { name: 'before', role: 'before', points: [{ value: 3_600, n: 9 }, { value: null }, { value: null }] },
  ],
};
const heatMap: HeatMapChart = {
  kind: 'heat-map',
  title: 'Reviews',
  measure: 'count',
  columns: [{ label: '9' }, { label: '10' }],
  rows: [{ label: 'Mon' }],
  cells: [[{ value: 4 }, { value: 7 }]],
};

describe('a chart in words', () => {
  test('A chart in words says how it began, ended and where it was highest, and leaves the window before out', () => {
    expect(chartSentence(chart)).toBe('median: 2 values, from 1d to 2d, highest 2d (week of 9 March).');
    const [median] = chart.series as [(typeof chart.series)[number]];
    const soFar = { ...median, points: [...median.points.slice(0, 2), { value: 432_000, n: 5 }] };
    expect(chartSentence({ ...chart, series: [soFar] })).toBe(
      'median: 3 values, from 1d to 5d (so far), highest 5d (week of 16 March, so far).',
    );
    expect(chartSentence(heatMap)).toBe('1 rows by 2 columns, highest 7 at Mon, 10.');
  });

  test('A chart in words says all series of a bucket, with n, and which of them is meant', () => {
    expect(markWords(chart, { series: 0, category: 0 }).lines).toEqual([
      { name: 'median', value: '1d', n: 'n 12', series: 0, isActive: true },
      { name: 'before', value: '1h', n: 'n 9', series: 1, isActive: false },
    ]);
    expect(markSentence(chart, { series: 0, category: 1 })).toBe('week of 9 March: median 2d, n 3');
    expect(markSentence(chart, { series: 0, category: 2 })).toBe('week of 16 March, so far: no value');
  });

  test('A chart in words is a table with a row for every bucket', () => {
    expect(chartTable(chart)).toEqual([
      ['', 'median', 'before'],
      ['week of 2 March', '1d, n 12', '1h, n 9'],
      ['week of 9 March', '2d, n 3', '–'],
      ['week of 16 March, so far', '–', '–'],
    ]);
  });
});

describe('an axis', () => {
  test.each([
    [0, 500_000, 'duration', { min: 0, max: 518_400, interval: 172_800 }],
    [0, 13, 'count', { min: 0, max: 15, interval: 5 }],
    [0, 2, 'count', { min: 0, max: 2, interval: 1 }],
    [0, 0, 'count', { min: 0, max: 1, interval: 1 }],
    [0, 0.97, 'percent', { min: 0, max: 1, interval: 0.25 }],
  ] as const)('from %d to %d in %s', (low, high, measure, axis) => {
    expect(axisOf(low, high, measure)).toEqual(axis);
  });

  test('An axis that is logarithmic has marks around all values', () => {
    expect(logarithmicMarks([700, 90_000], 'duration')).toEqual([600, 3_600, 21_600, 86_400, 604_800]);
    expect(logarithmicMarks([3, 450], 'count')).toEqual([1, 10, 100, 1_000]);
    expect(logarithmicMarks([], 'count')).toEqual([1, 10]);
  });
});
