import { describe, expect, test } from 'vitest';
import { documentText, rowsTable } from '../../src/cli/answer-table.ts';
import { barOf, sparkline } from '../../src/cli/terminal-charts.ts';
import { shownMeasures, valueText } from '../../src/cli/value-text.ts';

describe('a value', () => {
  test.each([
    [0, '0s'],
    [0.4, '<1s'],
    [48, '48s'],
    [3_599.6, '1h'],
    [11_520, '3h 12m'],
    [352_800, '4d 2h'],
    [-352_800, '-4d 2h'],
    [400 * 86_400, '1y 35d'],
  ])('of %f seconds is %s', (seconds, text) => expect(valueText(seconds, 'duration')).toBe(text));

  test('is written by its unit', () => {
    expect([valueText(0.9123, 'percent'), valueText(1, 'percent')]).toEqual(['91.2%', '100%']);
    expect([valueText(12.5, 'usd'), valueText(-3, 'usd')]).toEqual(['$12.50', '-$3.00']);
    expect([valueText(0, 'bytes'), valueText(1_230_000, 'bytes')]).toEqual(['0 B', '1.2 MB']);
    expect([valueText(12, 'number'), valueText(1 / 3, 'number')]).toEqual(['12', '0.333333']);
  });

  test('of a rate is a share unless it is summed up', () => {
    const measures = (aggregation: string) => shownMeasures([{ name: 'rework-rate', aggregation }]);
    expect(measures('AVG').get('avg_rework_rate')).toBe('percent');
    expect(measures('sum').get('sum_rework_rate')).toBe('number');
    expect(shownMeasures([{ name: 'no-such-metric', aggregation: undefined }]).size).toBe(0);
  });
});

test('a bar is as long as its share, and what is more than nothing is seen', () => {
  expect(barOf(10, 10, 4)).toBe('████');
  expect(barOf(5, 10, 3)).toBe('█▌');
  expect(barOf(0.001, 10, 4)).toBe('▏');
  expect([barOf(0, 10, 4), barOf(-1, 10, 4)]).toEqual(['', '']);
});

test('a sparkline goes from the least to the largest value, with gaps', () => {
  expect(sparkline([1, null, 8], 10)).toBe('▁ █');
  expect(sparkline([3, 3], 10)).toBe('▁▁');
  expect(sparkline([0, 0, 7, 7], 2)).toBe('▁█');
});

const text = (name: string, at: number) => ({ name, type: 'text', at, ofNothing: null }) as const;
const columns = [
  { name: 'week_date', type: 'date', at: 0, ofNothing: null },
  text('team_name', 1),
  { name: 'avg_cycle_time', type: 'number', at: 2, ofNothing: null },
] as const;
const rows = [
  ['2024-03-04', 'Core', 7_200],
  ['2024-03-04', 'Web', 3_600],
  ['2024-03-18', 'Core', 14_400],
  ['2024-03-25', 'Web', null],
];
const measures = shownMeasures([{ name: 'cycle-time', aggregation: 'avg' }]);

describe('a table of rows', () => {
  test('is plain in a pipe', () => {
    expect(rowsTable(columns, rows, { measures, screen: undefined })).toBe(
      [
        'week_date   team_name  avg_cycle_time',
        '2024-03-04  Core                   2h',
        '2024-03-04  Web                    1h',
        '2024-03-18  Core                   4h',
        '2024-03-25  Web                     -',
      ].join('\n'),
    );
  });

  test('has bars and sparklines on a screen, over every week between the first and the last', () => {
    expect(rowsTable(columns, rows, { measures, screen: 60 }).split('\n').slice(1)).toEqual([
      '2024-03-04  Core                   2h  ██████████',
      '2024-03-04  Web                    1h  █████',
      '2024-03-18  Core                   4h  ████████████████████',
      '2024-03-25  Web                     -',
      '',
      'Core  ▁ █   2h → 4h',
    ]);
    expect(rowsTable(columns, rows, { measures, screen: 40 })).not.toContain('█████');
  });

  test('shows intervals to group by as durations', () => {
    const interval = [{ name: 'pickup_time', type: 'duration', at: 0, ofNothing: null }] as const;
    expect(rowsTable(interval, [[352_800]], { measures: new Map(), screen: undefined })).toBe(
      'pickup_time\n      4d 2h',
    );
  });
});

test('a comparison says each value by its unit, and its change with a sign', () => {
  const results = [
    {
      metric_name: 'cycle-time',
      value: 3_600,
      group_by: {},
      unit: 'seconds',
      previous_value: 7_200,
      change_percentage: -50,
    },
  ];
  expect(documentText({ results }, { measures, screen: undefined })).toBe(
    'metric_name  value  previous_value  change_percentage\ncycle-time      1h              2h  -50%',
  );
});

test('a chart has a sparkline for each series on a screen', () => {
  const chart = { series: [{ name: 'Core', data: [3_600, 7_200] }], categories: ['Mar 2024', 'Apr 2024'] };
  const shown = documentText(chart, { measures, screen: 80 });
  expect(shown.split('\n')).toEqual(['          Core', 'Mar 2024    1h', 'Apr 2024    2h', '', 'Core  ▁█  1h → 2h']);
});
