import { describe, expect, test } from 'vitest';
import { axisOf, logarithmicMarks } from '../../../src/charts/chart-axes.ts';
import type { CategoryChart, HeatMapChart } from '../../../src/charts/chart-description.ts';
import {
  chartSentence,
  chartTable,
  markSentence,
  markWords,
  opensRecords,
  openWords,
  scaleWords,
} from '../../../web/src/view/chart-words.ts';

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

  test('A mark says what its parts add up to, how it moved, and what a click leads to', () => {
    const results: CategoryChart = {
      ...chart,
      kind: 'stacked-bar',
      measure: 'count',
      of: 'deployments',
      series: [
        { name: 'Succeeded', points: [{ value: 10 }, { value: 13 }, { value: 4 }] },
        { name: 'Failed', points: [{ value: 2 }, { value: 1 }, { value: 0 }] },
      ],
    };
    const mark = { series: 0, category: 1 };
    expect(markWords(results, mark)).toMatchObject({ total: '14', change: 'Since 2 Mar: +30%' });
    expect(openWords(results, mark)).toBe('Click to see the 13 deployments');
    expect(openWords(results, { series: 1, category: 1 })).toBe('Click to see the deployment');
    // The week under way is compared with no whole one.
    expect(markWords(results, { series: 0, category: 2 }).change).toBeUndefined();
    // Shares add up to everything.
    expect(markWords({ ...results, measure: 'percent' }, mark).total).toBeUndefined();
    const rate: CategoryChart = {
      ...chart,
      measure: 'percent',
      series: [{ name: 'Failed', points: [{ value: 13 / 161, n: 161 }] }],
    };
    expect(markWords(rate, { series: 0, category: 0 }).lines[0]?.n).toBe('13 of 161');
    expect(openWords(rate, { series: 0, category: 0 })).toBe('Click to see the records');
  });

  test('A mark of few rows does not say how it moved', () => {
    const change = (last: number, now: number) =>
      markWords(
        {
          ...chart,
          series: [
            {
              name: 'median',
              points: [
                { value: 86_400, n: last },
                { value: 172_800, n: now },
              ],
            },
          ],
        },
        { series: 0, category: 1 },
      ).change;
    expect(change(12, 9)).toBe('Since 2 Mar: +1d');
    expect(change(12, 4)).toBeUndefined();
    expect(change(4, 12)).toBeUndefined();
  });

  test('A mark of the window before opens nothing and says no difference', () => {
    const points = [
      { value: 3_600, n: 9 },
      { value: 7_200, n: 9 },
    ];
    const both: CategoryChart = {
      ...chart,
      series: [
        { name: 'now', points },
        { name: 'before', role: 'before', points },
      ],
    };
    const [own, before] = [
      { series: 0, category: 1 },
      { series: 1, category: 1 },
    ];
    expect([opensRecords(both, own), opensRecords(both, before)]).toEqual([true, false]);
    expect(opensRecords(heatMap, { series: 0, category: 0 })).toBe(true);
    expect(markWords(both, own).change).toBe('Since 2 Mar: +1h');
    expect(markWords(both, before).change).toBeUndefined();
  });

  test('A mark says how far it is from a goal, and what happened then', () => {
    const marked: CategoryChart = {
      ...chart,
      goals: [{ value: 79_200, title: 'First review within 22 hours' }],
      annotations: [
        { category: 0, title: 'Merge queue', days: '3 Mar', kind: 'rollout', author: 'Ada Quill' },
        { category: 1, title: 'Freeze', days: '10 Mar – 12 Mar', kind: 'other' },
      ],
    };
    expect(markWords(marked, { series: 0, category: 0 }).notes).toEqual([
      'Goal 22h: +2h',
      '3 Mar: Merge queue (Ada Quill)',
    ]);
    expect(
      markWords({ ...marked, goals: [{ value: 86_400, title: 'A day' }] }, { series: 0, category: 0 }).notes[0],
    ).toBe('Goal 1d: reached');
    // The window before had no such goal.
    expect(markWords(marked, { series: 1, category: 0 }).notes).toEqual(['3 Mar: Merge queue (Ada Quill)']);
    expect(chartSentence(marked)).toContain('Goal 22h (First review within 22 hours). 3 Mar: Merge queue.');
    const stack: CategoryChart = {
      ...chart,
      kind: 'stacked-bar',
      measure: 'count',
      goals: [{ value: 20, title: 'Twenty' }],
      series: [
        { name: 'Succeeded', points: [{ value: 10 }] },
        { name: 'Failed', points: [{ value: 5 }] },
      ],
    };
    expect(markWords(stack, { series: 0, category: 0 }).notes).toEqual(['Goal 20: −25%']);
  });

  test('The scale of a heat map says what its ends stand for, and what no colour does', () => {
    expect(scaleWords({ ...heatMap, of: 'reviews' })).toEqual({ low: '4', high: '7 reviews · outlined: none' });
    expect(scaleWords({ ...heatMap, cells: [[{ value: 7 }, { value: 7 }]] })).toEqual({
      low: '',
      high: '7 · outlined: none',
    });
    expect(scaleWords({ ...heatMap, cells: [[{ value: 0 }, { value: null }]] })).toBeUndefined();
    const waits = [
      [
        { value: 60, n: 9 },
        { value: 7_200, n: 5 },
        { value: 90_000, n: 4 },
      ],
    ];
    expect(scaleWords({ ...heatMap, measure: 'duration', isLogarithmic: true, cells: waits })).toEqual({
      low: '1m',
      high: '2h · outlined: fewer than 5 · logarithmic',
    });
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
    [0, 0.97, 'percent', { min: 0, max: 1, interval: 0.5 }],
    [81, 93, 'count', { min: 80, max: 95, interval: 5 }],
  ] as const)('from %d to %d in %s', (low, high, measure, axis) => {
    expect(axisOf(low, high, measure)).toEqual(axis);
  });

  test('An axis that is logarithmic has marks around all values', () => {
    expect(logarithmicMarks([700, 90_000], 'duration')).toEqual([600, 3_600, 21_600, 86_400, 604_800]);
    expect(logarithmicMarks([3, 450], 'count')).toEqual([1, 10, 100, 1_000]);
    expect(logarithmicMarks([], 'count')).toEqual([1, 10]);
  });
});
