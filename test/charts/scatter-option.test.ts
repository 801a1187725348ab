import { expect, test } from 'vitest';
import type { ScatterChart } from '../../src/charts/chart-description.ts';
import type { ChartTheme } from '../../src/charts/chart-theme.ts';
import { scatterOption } from '../../src/charts/scatter-option.ts';

const theme = { series: ['one', 'two', 'three', 'four', 'five', 'six'] } as unknown as ChartTheme;
const chartOf = (dots: ScatterChart['dots'], more: Partial<ScatterChart> = {}): ScatterChart => ({
  kind: 'scatter',
  title: 'Load',
  measure: 'count',
  x: { title: 'opened', measure: 'count' },
  yTitle: 'given',
  dots,
  ...more,
});

interface DrawnSeries {
  readonly itemStyle: { readonly color: string; readonly opacity: number };
  readonly data: readonly (readonly number[])[];
  readonly large?: boolean;
}
const drawn = (chart: ScatterChart) => scatterOption(chart, theme).series as DrawnSeries[];
const dot = (x: number, y: number, series = 0) => ({ name: `${x}, ${y}`, x, y, series });

test('Dots at one place are drawn as one, as dark as all of them on top of each other', () => {
  const chart = chartOf([
    dot(1, 2),
    dot(3, 4),
    dot(1, 2),
    dot(1, 2, 1),
    ...Array.from({ length: 40 }, () => dot(9, 9)),
  ]);
  expect(drawn(chart).map(({ itemStyle: { color, opacity }, data }) => [color, opacity.toFixed(3), data])).toEqual([
    ['one', '0.840', [[1, 2]]],
    ['one', '0.600', [[3, 4]]],
    ['two', '0.600', [[1, 2]]],
    ['one', '0.990', [[9, 9]]],
  ]);
});

test('Many dots are drawn as a few shapes, and none is missing', () => {
  const dots = Array.from({ length: 3_000 }, (_, at) => dot(at, at));
  const shapes = drawn(chartOf(dots));
  expect(shapes.map(({ large, data }) => [large, data.length])).toEqual(Array(5).fill([true, 600]));
  expect(new Set(shapes.flatMap(({ data }) => data.map(String))).size).toBe(3_000);
});

test('A logarithmic axis begins at 1', () => {
  const chart = chartOf([dot(0, 0)], {
    isLogarithmic: true,
    x: { title: 'lines', measure: 'count', isLogarithmic: true },
  });
  expect(drawn(chart)[0]?.data).toEqual([[1, 1]]);
});
