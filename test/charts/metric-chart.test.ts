import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TimeZone } from '../../src/calendar.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { optionOf } from '../../src/charts/chart-option.ts';
import { lightTheme } from '../../src/charts/chart-theme.ts';
import { comparedChart } from '../../src/charts/compared-chart.ts';
import { drawSvg } from '../../src/charts/draw-svg.ts';
import { type ChartQuestion, metricChart } from '../../src/charts/metric-chart.ts';
import { dayReach } from '../../src/charts/time-buckets.ts';

const asked = (name: string, more: Partial<ChartQuestion> = {}): ChartQuestion => {
  const metric = metrics.get(name);
  if (!metric) throw new Error(name);
  const [zone, today] = [TimeZone.named('UTC'), '2024-06-10'];
  return {
    metric,
    aggregation: undefined,
    level: 'month',
    zone,
    today,
    reach: dayReach(undefined, 'UTC', today),
    ...more,
  };
};
const meta = { date_range: { start_date: '2024-04-01', end_date: '2024-06-30' } };
const series = (name: string, ...data: (number | null)[]) => ({ name, data, n: data.map((value) => value ?? 0) });

test('What adds up is drawn as bars, of many groups the largest and the others; anything else as lines', () => {
  const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => series(name, at, at, at));
  const count = metricChart({ series: groups, meta }, asked('pull-requests-count'));
  expect([count.kind, count.measure]).toEqual(['stacked-bar', 'count']);
  expect(count.series.map(({ name, role }) => [name, role])).toEqual([
    ...['g', 'f', 'e', 'd', 'c'].map((name) => [name, undefined]),
    ['others', 'others'],
  ]);
  expect(count.series.at(-1)?.points).toEqual([1, 1, 1].map((value) => ({ value })));
  const time = metricChart({ series: groups, meta }, asked('cycle-time', { aggregation: 'median' }));
  expect([time.kind, time.measure, time.series.length]).toEqual(['line', 'duration', 6]);
  expect(time.subtitle).toBe('MEDIAN, by month, 2024-04-01 – 2024-06-30, 1 more not shown');
  expect(metricChart({ series: [series('Pull requests', 1, 2, 3)], meta }, asked('pull-requests-count')).kind).toBe(
    'bar',
  );
});

test('A bar is hollow below five rows, and filled from five rows on', () => {
  const few = { name: 'Review rate', data: [0.5, 0.5, 0.5], n: [4, 5, 6] };
  const chart = { ...metricChart({ series: [few], meta }, asked('review-rate')), kind: 'bar' as const };
  const { series: [bar] = [] } = optionOf(chart, lightTheme, { width: 600, right: 0 }) as {
    readonly series?: readonly { readonly data: readonly { readonly itemStyle: { readonly color: string } }[] }[];
  };
  const isHollow = bar?.data.map(({ itemStyle }) => itemStyle.color === lightTheme.surface);
  expect(isHollow).toEqual([true, false, false]);
});

test('A chart without any value says so', () => {
  const empty = metricChart(
    { series: [series('Cycle time', null, null, null)], meta },
    asked('cycle-time', { aggregation: 'avg' }),
  );
  expect(empty.subtitle).toBe('AVG, by month, 2024-04-01 – 2024-06-30, no values');
});

test('A bucket that is not over is marked, and the value that leads is the one drawn', () => {
  const parts = ['additions', 'deletions', 'total_changes'].map((part, at) => series(`acme/web/${part}`, at, at, at));
  const size = metricChart({ series: parts, meta }, asked('pull-requests-size', { aggregation: 'avg' }));
  expect(size.series).toMatchObject([{ name: 'acme/web', points: [2, 2, 2].map((value) => ({ value, n: value })) }]);
  expect(size.categories.map(({ label, name, part }) => [label, name, part])).toEqual([
    ['Apr 24', 'Apr 24', undefined],
    ['May 24', 'May 24', undefined],
    ['so far', 'Jun 24', 'so far'],
  ]);
  expect(drawSvg(size)).toContain('>so far<');
});

test('No day after the data is drawn as zero, and a chart of such days alone says so', () => {
  const reach = dayReach(Date.parse('2024-05-20T00:00:00Z') / 1_000, 'UTC', '2024-07-10');
  const drawn = (months: readonly (number | null)[], more: object = {}) =>
    metricChart(
      { series: [series('Pull requests', ...months)], meta },
      asked('pull-requests-count', { reach, ...more }),
    );
  const count = drawn([0, 4, 0]);
  expect(count.series[0]?.points).toEqual([{ value: 0 }, { value: 4 }, { value: null }]);
  expect(count.categories.map(({ part }) => part)).toEqual([undefined, undefined, 'no data yet']);
  // Rows of a stream that is ahead of the others are there.
  expect(drawn([0, 4, 2]).series[0]?.points.at(-1)).toEqual({ value: 2 });
  const none = drawn([0, 0, 0], { reach: { ...reach, lastBegun: '2024-03-31' } });
  expect(none.subtitle).toBe('by month, 2024-04-01 – 2024-06-30, no data yet');
});

test('With the period before, both courses have every bucket', () => {
  const result = (metric_name: string, month: string, value: number, previous_value: number | null) => ({
    metric_name,
    value,
    n: 2,
    previous_value,
    group_by: { month_date: month },
  });
  const count = comparedChart(
    { results: [result('pull-requests-count', '2024-05-01', 4, 3)], meta },
    asked('pull-requests-count'),
  );
  expect(count.series).toEqual([
    { name: 'Pull requests', points: [0, 4, 0].map((value) => ({ value })) },
    { name: 'before', role: 'before', points: [0, 3, 0].map((value) => ({ value })) },
  ]);
  // A month that the earlier window cuts would look like a fall.
  const cut = comparedChart(
    {
      results: ['04', '05', '06'].map((month) => result('pull-requests-count', `2024-${month}-01`, 4, 3)),
      meta: { ...meta, previous_date_range: { start_date: '2024-01-02', end_date: '2024-03-31' } },
    },
    asked('pull-requests-count'),
  );
  expect(cut.series[1]?.points.map(({ value }) => value)).toEqual([null, 3, 3]);
  const size = comparedChart(
    {
      results: ['additions', 'total_changes'].map((part, at) =>
        result(`pull-requests-size.${part}`, '2024-06-01', at, null),
      ),
      meta,
    },
    asked('pull-requests-size', { aggregation: 'avg' }),
  );
  expect(size.series.map(({ points }) => points.map(({ value }) => value))).toEqual([
    [null, null, 1],
    [null, null, null],
  ]);
});

test('A picture has names as text, whatever is in them, and is the same twice', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"/><image href="x" onload="y"',
    'a & b',
    'bell\u0007, half \ud800',
    'zr1-x',
  ];
  const chart = metricChart(
    { series: hostile.map((name, at) => series(name, 5 + at, null, 9)), meta },
    asked('cycle-time', { aggregation: 'avg' }),
  );
  const svg = drawSvg(chart);
  expect(svg).toContain('&lt;script&gt;');
  expect(svg).toContain('a &amp; b');
  expect(svg).toContain('>zr1-x<');
  expect(svg).not.toMatch(/<script|<image|<style|<foreignObject|<a\b|\son\w+="|javascript:/i);
  expect(svg).not.toContain('\u0007');
  expect(svg.split('<').length).toBe(svg.split('>').length);
  expect(drawSvg(chart)).toBe(svg);
});

test('Pictures have the colours of the light theme', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../web/src/theme/tokens.css'), 'utf8');
  const light = (token: string) => new RegExp(`--${token}: light-dark\\((#\\w+),`).exec(tokens)?.[1];
  const { series: colours, sequential, font: _, ...others } = lightTheme;
  expect(Object.fromEntries(Object.keys(others).map((token) => [token, light(token)]))).toEqual(others);
  expect(colours.map((_colour, at) => light(`series-${at + 1}`))).toEqual(colours);
  expect(sequential.map((_colour, at) => light(`sequential-${at}`))).toEqual(sequential);
});

test('An answer about instants is drawn over the days of the organisation that they are in', () => {
  const range = { start_date: '2024-04-30T23:30:00Z', end_date: '2024-06-30T22:30:00Z' };
  const question = asked('pull-requests-count', { zone: TimeZone.named('Europe/Berlin') });
  const chart = metricChart({ series: [series('Pull requests', 1, 2)], meta: { date_range: range } }, question);
  expect(chart.categories).toHaveLength(3);
  expect(chart.subtitle).toContain('2024-05-01 – 2024-07-01');
});
