import { expect, test } from 'vitest';
import type { CategoryChart, ChartPoint } from '../../src/charts/chart-description.ts';
import { optionOf } from '../../src/charts/chart-option.ts';
import { lightTheme } from '../../src/charts/chart-theme.ts';
import { drawSvg } from '../../src/charts/draw-svg.ts';
import { drawnChart, fewNote } from '../../src/charts/drawn-chart.ts';
import { bucketCategory, timeBuckets } from '../../src/charts/time-buckets.ts';

/** Weeks from Wednesday the 5th to Sunday the 30th of June 2024, of which the days up to the 26th are there. */
const reach = { lastWhole: '2024-06-26', lastBegun: '2024-06-27', lastSettled: '2024-06-26' };
const weeks = timeBuckets({ start: '2024-06-05', end: '2024-06-30' }, 'week', reach).map((bucket) =>
  bucketCategory(bucket, 'week'),
);
const line = (...points: readonly ChartPoint[]): CategoryChart => ({
  kind: 'line',
  title: 'Cycle time',
  measure: 'number',
  categories: weeks.slice(weeks.length - points.length),
  series: [{ name: 'Median', points }],
});
const values = (...all: readonly number[]) => all.map((value) => ({ value, n: 9 }));

interface Piece {
  readonly type: string;
  readonly lineStyle?: { readonly type?: unknown; readonly opacity?: number };
  readonly areaStyle?: object;
  readonly data: readonly (null | {
    readonly value: number;
    readonly symbol?: string;
    readonly itemStyle?: { readonly color?: string; readonly opacity?: number };
    readonly label?: { readonly formatter: string };
  })[];
}
interface Axis {
  readonly min: number;
  readonly max: number;
  readonly axisLabel: { readonly formatter: (value: number) => string; readonly interval: unknown };
}
const option = (chart: CategoryChart, width = 800) =>
  optionOf(chart, lightTheme, { width, right: 0 }) as unknown as {
    readonly series: readonly Piece[];
    readonly yAxis: Axis;
    readonly xAxis: Axis;
  };
const drawn = (chart: CategoryChart) => option(chart).series;
const shownIn = ({ data }: Piece) => data.map((point) => point?.value ?? null);

test('A chart begins with its first whole period, and its description keeps the one before', () => {
  const chart = line(...values(3, 10, 11, 2));
  expect(weeks.map(({ part }) => part)).toEqual(['from 5 Jun', undefined, undefined, 'so far']);
  const { chart: cut, skipped } = drawnChart(chart);
  expect(skipped).toBe(1);
  expect(cut.categories.map(({ label }) => label)).toEqual(['10 Jun', '17 Jun', 'so far']);
  expect(cut.series[0]?.points.map(({ value }) => value)).toEqual([10, 11, 2]);
  const svg = drawSvg({ ...chart, subtitle: '2024-06-05 – 2024-06-30' });
  expect(svg).not.toContain('>3 Jun<');
  expect(svg).toContain('2024-06-05 – 2024-06-30 · drawn from week of 10 Jun 2024');
  // A window within one week has nothing else to draw.
  const within = { ...chart, categories: weeks.slice(0, 1), series: [{ name: 'Median', points: values(3) }] };
  expect(drawnChart(within)).toEqual({ chart: within, skipped: 0 });
  expect(drawSvg(within)).not.toContain('drawn from');
});

test('A dotted step leads from the last whole period to an open dot at the one under way', () => {
  const [whole, underWay, ...others] = drawn(line(...values(10, 11, 2)));
  if (!whole || !underWay) throw new Error('Two pieces are expected.');
  expect(others).toEqual([]);
  expect(shownIn(whole)).toEqual([10, 11, null]);
  expect(shownIn(underWay)).toEqual([null, 11, 2]);
  expect(underWay.lineStyle?.type).not.toBe('solid');
  expect(underWay.data.at(-1)).toMatchObject({ symbol: 'circle', itemStyle: { color: lightTheme.surface } });
  expect(whole.areaStyle).toBeDefined();
});

test('A value of few rows is an open dot, joined to nothing', () => {
  const [joined, single] = drawn({
    ...line(...values(10, 11, 12)),
    categories: weeks.slice(0, 3).map(({ label }) => ({ label })),
  });
  expect([joined && shownIn(joined), single]).toEqual([[10, 11, 12], undefined]);
  const few = { ...line({ value: 10, n: 9 }, { value: 50, n: 4 }, { value: 12, n: 5 }) };
  const [course, dots] = drawn({ ...few, categories: ['a', 'b', 'c'].map((label) => ({ label })) });
  if (!course || !dots) throw new Error('Two pieces are expected.');
  expect(shownIn(course)).toEqual([10, null, 12]);
  expect(shownIn(dots)).toEqual([null, 50, null]);
  expect(dots.lineStyle?.opacity).toBe(0);
  expect(dots.data[1]?.itemStyle?.color).toBe(lightTheme.surface);
});

test('Where most values are of few rows there are dots only, and the chart says so', () => {
  const mostly = line({ value: 10, n: 2 }, { value: 50, n: 4 }, { value: 12, n: 40 });
  const [course, dots] = drawn({ ...mostly, categories: ['a', 'b', 'c'].map((label) => ({ label })) });
  if (!course || !dots) throw new Error('Two pieces are expected.');
  expect([shownIn(course), shownIn(dots)]).toEqual([
    [null, null, null],
    [10, 50, 12],
  ]);
  expect(fewNote(mostly)).toBe('Fewer than 5 in most periods, so no line is drawn');
  expect(drawSvg(mostly)).toContain('Fewer than 5 in most periods');
  expect(fewNote(line(...values(1, 2, 3)))).toBeUndefined();
});

test('The bar of the period under way is pale', () => {
  const bars = { ...line(...values(10, 11, 2)), kind: 'bar' as const };
  expect(drawn(bars)[0]?.data.map((point) => point?.itemStyle?.opacity)).toEqual([undefined, undefined, 0.38]);
});

test('One value over four times the next is cut at the edge, where its number stands', () => {
  const five = [...weeks, { label: '1 Jul' }].map(({ label }) => ({ label }));
  const withOutlier = { ...line(), categories: five, series: [{ name: 'Median', points: values(10, 12, 90, 11, 9) }] };
  const { series, yAxis } = option(withOutlier);
  expect(yAxis.max).toBeLessThan(20);
  expect(series.at(-1)?.data[2]).toMatchObject({ value: yAxis.max, label: { formatter: '90 ↑' } });
  // The course itself is drawn as it is.
  expect(series[0] && shownIn(series[0])).toEqual([10, 12, 90, 11, 9]);
  const usual = { ...withOutlier, series: [{ name: 'Median', points: values(10, 12, 48, 11, 9) }] };
  expect(option(usual).yAxis.max).toBeGreaterThanOrEqual(48);
  // Of a few records none stands out.
  const counts = {
    ...withOutlier,
    measure: 'count' as const,
    series: [{ name: 'Failed', points: values(1, 1, 9, 1, 0) }],
  };
  expect(option(counts).yAxis.max).toBeGreaterThanOrEqual(9);
});

test('An axis that leaves the zero out says so, and one that is nearly flat stays flat', () => {
  const chart: CategoryChart = { ...line(...values(0.92, 0.93, 0.93)), measure: 'percent' };
  const { yAxis } = option(chart);
  expect(yAxis.max - yAxis.min).toBeGreaterThanOrEqual(0.12 * 0.92);
  expect(yAxis.axisLabel.formatter(yAxis.min)).toMatch(/^from 80/);
  expect(option({ ...chart, kind: 'bar' }).yAxis.min).toBe(0);
});

test('At most seven periods have a label, and four where it is narrow', () => {
  const days = Array.from({ length: 30 }, (_, at) => ({ label: `${at + 1} Jun` }));
  const chart = {
    ...line(),
    categories: days,
    series: [{ name: 'Median', points: values(...days.map((_, at) => at)) }],
  };
  const labels = (width: number) => Math.ceil(30 / (Number(option(chart, width).xAxis.axisLabel.interval) + 1));
  expect([labels(1_200), labels(340)]).toEqual([6, 4]);
});
