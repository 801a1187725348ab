import { describe, expect, test } from 'vitest';
import type { AnswerRow } from '../../../src/query/plan.ts';
import { type Chart, type Charted, chartSeries } from '../../../src/query/shape/series.ts';
import { isLong } from '../../setup/how-long.ts';
import { asking, type SomeAsking } from '../some-asking.ts';

function charted(some: SomeAsking, rows: readonly AnswerRow[]): Charted {
  const asked = asking(some);
  return chartSeries(asked, asked.columns, rows);
}

function chart(some: SomeAsking, rows: readonly AnswerRow[]): Chart {
  const { answer } = charted(some, rows);
  if ('metrics' in answer) throw new Error('One chart was expected.');
  return answer;
}

const quarter: SomeAsking = { of: 'pull-requests-count', level: 'month', window: ['2024-01-15', '2024-03-31'] };

describe('a chart', () => {
  test('A chart has every bucket of the window, and repeats the question', () => {
    expect(JSON.stringify(charted(quarter, [['2024-02-01', 3]]))).toBe(
      '{"answer":{"series":[{"name":"Pull requests count","data":[0,3,0]}],' +
        '"categories":["Jan 2024","Feb 2024","Mar 2024"],' +
        '"meta":{"filters":{"start_date":"2024-01-15","end_date":"2024-03-31"},' +
        '"date_range":{"start_date":"2024-01-15","end_date":"2024-03-31"}}},"isCut":false,"total":1}',
    );
  });

  test.each([
    ['day', ['2024-12-30', '2024-12-31'], ['2024-12-30', '2024-12-31']],
    ['week', ['2024-01-31', '2024-02-05'], ['2024-01-29', '2024-02-05']],
    ['month', ['2023-12-31', '2024-01-01'], ['Dec 2023', 'Jan 2024']],
    ['quarter', ['2024-03-31', '2024-04-01'], ['Q1 2024', 'Q2 2024']],
    ['year', ['2023-12-31', '2024-01-01'], ['2023', '2024']],
  ] as const)('by %s of %j is labelled %j', (level, window, labels) => {
    expect(chart({ ...quarter, level, window }, []).categories).toEqual(labels);
  });

  test('A chart has 0 where a count or a sum is of nothing, and null where anything else is', () => {
    const data = (of: string) => chart({ ...quarter, of }, [['2024-02-01', 3]]).series[0]?.data;
    expect(data('cycle-time sum')).toEqual([0, 3, 0]);
    expect(data('cycle-time avg')).toEqual([null, 3, null]);
    expect(data('review-rate')).toEqual([null, 3, null]);
    expect(chart({ ...quarter, of: 'cycle-time sum' }, [['2024-02-01', null]]).series[0]?.data).toEqual([0, 0, 0]);
  });

  test('A chart has a flat line where nothing was grouped by and nothing happened, and none where something was', () => {
    expect(chart(quarter, []).series).toEqual([{ name: 'Pull requests count', data: [0, 0, 0] }]);
    expect(chart({ ...quarter, by: ['name'] }, []).series).toEqual([]);
  });

  test('A chart has a line for every group, in the order of groups, whatever the order of rows', () => {
    const rows = [
      ['2024-01-01', 'Cyd', 1],
      ['2024-01-01', null, 2],
      ['2024-02-01', 'Ada', 3],
      ['2024-03-01', 'Cyd', 4],
    ];
    const lines = [
      { name: 'Ada', data: [0, 3, 0] },
      { name: 'Cyd', data: [1, 0, 4] },
      { name: '(none)', data: [2, 0, 0] },
    ];
    expect(chart({ ...quarter, by: ['name'] }, rows).series).toEqual(lines);
    expect(chart({ ...quarter, by: ['name'] }, rows.toReversed()).series).toEqual(lines);
  });

  test.each([
    [['name', 'repository'], ['Ada', 'acme/web'], 'Ada/acme/web'],
    [['name', 'repository'], [null, 'acme/web'], '(none)/acme/web'],
    [['team_names'], ['["Core","Web"]'], 'Core, Web'],
    [['team_names'], ['[]'], '[]'],
    [['pr_created_at'], [1_706_695_200], '2024-01-31T10:00:00Z'],
    [['coding_time'], [65], 'PT1M5S'],
    [['is_promotion_pr'], [false], 'false'],
    [['additions'], [12], '12'],
  ])('A chart grouped by %j names %j %s', (by, key, name) => {
    expect(chart({ ...quarter, by }, [['2024-01-01', ...key, 1]]).series[0]?.name).toBe(name);
  });

  test('A chart names a group of JSON by its compact text', () => {
    const some: SomeAsking = { ...quarter, of: 'deployment-frequency', by: ['pull_requests'] };
    expect(chart(some, [['2024-01-01', '[{"id": "1"}]', 1]]).series[0]?.name).toBe('[{"id":"1"}]');
  });

  test('A chart has three lines for the size of pull requests', () => {
    const rows = [['2024-02-01', 10, 5, 15]];
    expect(chart({ ...quarter, of: 'pull-requests-size sum' }, rows).series).toEqual([
      { name: 'Pull requests size/additions', data: [0, 10, 0] },
      { name: 'Pull requests size/deletions', data: [0, 5, 0] },
      { name: 'Pull requests size/total_changes', data: [0, 15, 0] },
    ]);
    const by = chart({ ...quarter, of: 'pull-requests-size avg', by: ['name'] }, [['2024-02-01', 'Ada', 10, 5, 15]]);
    expect(by.series.map(({ name }) => name)).toEqual(['Ada/additions', 'Ada/deletions', 'Ada/total_changes']);
  });

  test('A chart says the unit of a metric that has one', () => {
    const { answer } = charted({ ...quarter, of: 'cycle-time avg' }, []);
    expect(answer.meta).toHaveProperty('unit', 'seconds');
    expect(charted(quarter, []).answer.meta).not.toHaveProperty('unit');
  });

  test('A chart has one for each of several metrics, with its own unit', () => {
    const some: SomeAsking = { ...quarter, of: ['pull-requests-count', 'cycle-time avg'] };
    const { answer, total } = charted(some, [['2024-02-01', 3, 60]]);
    const categories = ['Jan 2024', 'Feb 2024', 'Mar 2024'];
    expect(answer).toEqual({
      metrics: {
        'pull-requests-count': { series: [{ name: 'Pull requests count', data: [0, 3, 0] }], categories },
        'cycle-time': { series: [{ name: 'Cycle time', data: [null, 60, null] }], categories, unit: 'seconds' },
      },
      meta: {
        filters: { start_date: '2024-01-15', end_date: '2024-03-31' },
        date_range: { start_date: '2024-01-15', end_date: '2024-03-31' },
      },
    });
    expect(total).toBe(2);
  });

  test('A chart of one metric asked through several is keyed by its name all the same', () => {
    expect(Object.keys(charted({ ...quarter, of: ['pull-requests-count'] }, []).answer)).toEqual(['metrics', 'meta']);
  });
});

describe('a chart of many groups', () => {
  const person = (i: number) => `P${String(i).padStart(3, '0')}`;

  test('A chart of many groups has the two hundred with the largest sums, in the order of groups, and says that it is cut', () => {
    // Every person has 1 in January; the last hundred have 5 more in March, and one in the middle has 2 more.
    const rows = Array.from({ length: 300 }, (_, i) => ['2024-01-01', person(i), 1] as AnswerRow);
    for (let i = 200; i < 300; i += 1) rows.push(['2024-03-01', person(i), 5]);
    rows.push(['2024-02-01', person(150), 2]);
    const { answer, isCut, total } = charted({ ...quarter, by: ['name'] }, rows);
    const names = 'series' in answer ? answer.series.map(({ name }) => name) : [];
    const kept = [...Array(99).keys(), 150, ...Array.from({ length: 100 }, (_, i) => 200 + i)].map(person);
    expect([names, isCut, total]).toEqual([kept, true, 300]);
  });

  test('A chart of many groups keeps the lines of one group together, and goes by their total', () => {
    const rows = Array.from(
      { length: 100 },
      (_, i): AnswerRow => ['2024-01-01', person(i), 1_000 - i, i * 20, 1_000 + i],
    );
    const some: SomeAsking = { ...quarter, of: 'pull-requests-size sum', by: ['name'] };
    const { answer, isCut, total } = charted(some, rows);
    const names = 'series' in answer ? answer.series.map(({ name }) => name) : [];
    expect(names).toHaveLength(198);
    expect(names[0]).toBe('P034/additions');
    expect(names.at(-1)).toBe('P099/total_changes');
    expect([isCut, total]).toEqual([true, 300]);
  });

  test('A chart of many groups is whole when there are exactly two hundred', () => {
    const rows = Array.from({ length: 200 }, (_, i): AnswerRow => ['2024-01-01', person(i), 1]);
    expect(charted({ ...quarter, by: ['name'] }, rows)).toMatchObject({ isCut: false, total: 200 });
  });

  test('A chart of many groups sums the groups that are not shown, and draws none of their days', () => {
    let reads = 0;
    const counted: ProxyHandler<AnswerRow> = {
      get(row, at) {
        if (at === '2') reads += 1;
        return Reflect.get(row, at);
      },
    };
    const rows = Array.from({ length: 1_000 }, (_, i) => new Proxy(['2024-01-01', person(i), 1] as AnswerRow, counted));
    expect(charted({ ...quarter, by: ['name'] }, rows).total).toBe(1_000);
    expect(reads).toBe(1_000 + 200);
  });

  test('A chart of many groups takes no room for the days of groups that are not shown', () => {
    const rows = Array.from({ length: 100_000 }, (_, i): AnswerRow => ['2024-01-01', `pr-${i}`, 1]);
    const some: SomeAsking = {
      of: 'pull-requests-count',
      by: ['pr_id'],
      level: 'day',
      window: ['2015-01-01', '2024-12-31'],
    };
    const before = process.memoryUsage().heapUsed;
    const { total } = charted(some, rows);
    // A cell for every day of every group would be 365 million.
    if (isLong) expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
    expect(total).toBe(100_000);
  });
});
