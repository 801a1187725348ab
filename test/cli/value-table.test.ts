import { describe, expect, test } from 'vitest';
import { documentText, rowsTable } from '../../src/cli/answer-table.ts';
import { valueHeads } from '../../src/cli/column-heads.ts';
import { cutToWidth, displayWidth, padToWidth } from '../../src/cli/display-width.ts';
import { columns as listing } from '../../src/cli/terminal.ts';
import { barOf, sparkline } from '../../src/cli/value-table.ts';
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
  ])('A value of %f seconds is %s', (seconds, text) => expect(valueText(seconds, 'duration')).toBe(text));

  test('A value is written by its unit', () => {
    expect([valueText(0.9123, 'percent'), valueText(1, 'percent')]).toEqual(['91.2%', '100%']);
    expect([valueText(12.5, 'usd'), valueText(-3, 'usd')]).toEqual(['$12.50', '-$3.00']);
    expect([valueText(0, 'bytes'), valueText(1_230_000, 'bytes')]).toEqual(['0 B', '1.2 MB']);
    expect([valueText(12, 'number'), valueText(1 / 3, 'number')]).toEqual(['12', '0.333333']);
  });

  test('A value of a rate is a share unless it is summed up', () => {
    const measures = (aggregation: string) => shownMeasures([{ name: 'rework-rate', aggregation }]);
    expect(measures('AVG').get('avg_rework_rate')).toBe('percent');
    expect(measures('sum').get('sum_rework_rate')).toBe('number');
    expect(shownMeasures([{ name: 'no-such-metric', aggregation: undefined }]).size).toBe(0);
  });
});

test('A bar is as long as its share, and what is more than nothing is seen', () => {
  expect(barOf(10, 10, 4)).toBe('████');
  expect(barOf(5, 10, 3)).toBe('█▌');
  expect(barOf(0.001, 10, 4)).toBe('▏');
  expect([barOf(0, 10, 4), barOf(-1, 10, 4)]).toEqual(['', '']);
});

test('A sparkline goes from the least to the largest value, with gaps', () => {
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
const asked = [{ name: 'cycle-time', aggregation: 'avg' }];
const [measures, heads] = [shownMeasures(asked), valueHeads(asked)];

describe('a table of rows', () => {
  test('A table of rows is plain in a pipe', () => {
    expect(rowsTable(columns, rows, { measures, heads, screen: undefined })).toBe(
      [
        'Week        Team  Cycle time, average',
        '2024-03-04  Core                   2h',
        '2024-03-04  Web                    1h',
        '2024-03-18  Core                   4h',
        '2024-03-25  Web                     -',
      ].join('\n'),
    );
  });

  test('A table of rows has bars and sparklines on a screen, over every week between the first and the last', () => {
    expect(rowsTable(columns, rows, { measures, heads, screen: 60 }).split('\n').slice(1)).toEqual([
      '2024-03-04  Core                   2h  ██████████',
      '2024-03-04  Web                    1h  █████',
      '2024-03-18  Core                   4h  ████████████████████',
      '2024-03-25  Web                     -',
      '',
      'Core  ▁ █   2h → 4h',
    ]);
    expect(rowsTable(columns, rows, { measures, screen: 40 })).not.toContain('█████');
  });

  test('A table of rows has sparklines over all days that were asked about: zero for counts, a gap for averages', () => {
    const days = ['2024-02-28', '2024-04-02'] as const;
    const sparks = (table: string) => table.split('\n').slice(table.split('\n').indexOf('') + 1);
    const view = { measures, screen: 60, days };
    expect(sparks(rowsTable(columns, rows, view))).toEqual(['Core   ▁ █    2h → 4h']);
    const counted = [columns[0], { name: 'pr_count', type: 'number', at: 1, ofNothing: 0 }] as const;
    const counts = [
      ['2024-03-04', 4],
      ['2024-03-18', 8],
    ];
    const counting = { ...view, measures: shownMeasures([{ name: 'pull-requests-count', aggregation: undefined }]) };
    expect(sparks(rowsTable(counted, counts, counting))).toEqual(['▁▅▁█▁▁  0 → 0']);
    // Where rows were left off, nothing is known of them.
    expect(sparks(rowsTable(counted, counts, { ...counting, isCut: true }))).toEqual(['▁ █  4 → 8']);
  });

  test('A table of rows is aligned whatever its texts are written in', () => {
    const named = [text('team_name', 0), { name: 'pr_count', type: 'number', at: 1, ofNothing: 0 }] as const;
    const teams = ['Core', '基盤チーム', '🚀 Launch', 'Café', 'a\u200bb', '👩‍👩‍👧 Family', '데이터', 'x\u202ey'];
    const table = rowsTable(
      named,
      teams.map((name) => [name, 7]),
      { measures: new Map(), screen: undefined },
    );
    expect(table.split('\n').slice(1).map(displayWidth)).toEqual(teams.map(() => 20));
    expect(table).not.toContain('\u202e');
    const wide = rowsTable(named, [['チ'.repeat(40), 7]], { measures: new Map(), screen: undefined });
    expect(wide.split('\n')[1]).toBe(`${'チ'.repeat(29)}…  ${' '.repeat(7)}7`);
  });

  test('A table of rows has the names that people know columns and values by', () => {
    const named = [
      text('deployment_attribution_status', 0),
      text('source', 1),
      { name: 'is_bot', type: 'boolean', at: 2, ofNothing: null },
      { name: 'median_cycle_time', type: 'number', at: 3, ofNothing: null },
      { name: 'n_cycle_time', type: 'number', at: 4, ofNothing: null },
    ] as const;
    const view = { measures: new Map(), heads: valueHeads([{ name: 'cycle-time', aggregation: 'MEDIAN' }]) };
    const table = rowsTable(named, [['awaiting_deploy', 'github-copilot', true, 7_200, 3]], {
      ...view,
      screen: undefined,
    });
    expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['Deployment', 'Source', 'Bot', 'Cycle time, median', 'Cycle time, n'],
      ['Waiting to deploy', 'GitHub Copilot', 'Yes', '7200', '3'],
    ]);
  });

  test('A table of rows shows intervals to group by as durations', () => {
    const interval = [{ name: 'pickup_time', type: 'duration', at: 0, ofNothing: null }] as const;
    expect(rowsTable(interval, [[352_800]], { measures: new Map(), screen: undefined })).toBe(
      'First review wait\n            4d 2h',
    );
  });
});

test('A comparison says each value by its unit, and its change with a sign', () => {
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
    'Metric      Value  Before  Change\nCycle time     1h      2h  -50%',
  );
});

test('A chart has a sparkline for each series on a screen', () => {
  const chart = { series: [{ name: 'Core', data: [3_600, 7_200] }], categories: ['Mar 2024', 'Apr 2024'] };
  const shown = documentText(chart, { measures, screen: 80 });
  expect(shown.split('\n')).toEqual(['          Core', 'Mar 2024    1h', 'Apr 2024    2h', '', 'Core  ▁█  1h → 2h']);
});

test('The width of a text is what it takes on a screen', () => {
  expect(['abc', '基盤', '🚀', 'e\u0301', '\u200b', '👨‍👩‍👧‍👦', '🇯🇵', '1️⃣', '❤️'].map(displayWidth)).toEqual([
    3, 4, 2, 1, 0, 2, 2, 2, 2,
  ]);
  expect(padToWidth('基盤', 6)).toBe('基盤  ');
  expect([cutToWidth('基盤チーム', 6), cutToWidth('基盤', 4)]).toEqual(['基盤…', '基盤']);
  expect(cutToWidth('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3)).toBe('👨‍👩‍👧‍👦…');
});

test('A listing is aligned whatever its texts are written in', () => {
  const listed = listing(
    ['NAME', 'ROLE'],
    [
      ['山田太郎', 'Owner'],
      ['Zoe\u0308', 'Engineer'],
    ],
  );
  expect(listed).toBe('NAME      ROLE\n山田太郎  Owner\nZoe\u0308       Engineer');
});

test('A comparison by the day says so where the longer month has more in all', () => {
  const result = (change_percentage: number, verdict: string) => ({
    metric_name: 'workflow-runs-count',
    value: 2_850,
    previous_value: 2_800,
    change_percentage,
    n: 2_850,
    previous_n: 2_800,
    range: null,
    previous_range: null,
    verdict,
    is_better: null,
  });
  const lines = (...results: object[]) =>
    documentText({ results }, { measures: new Map(), screen: undefined }).split('\n').slice(1);
  expect(
    lines(result(1.8, 'down'), result(1.8, 'up'), result(-40, 'down')).map((line) => line.split('%')[1]?.trim()),
  ).toEqual(['down per day', 'up', 'down']);
});
