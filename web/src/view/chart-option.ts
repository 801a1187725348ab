import type { EChartsCoreOption } from 'echarts/core';
import type { ChartTheme } from '../theme/chart-theme.ts';
import { axisOf, logarithmicMarks, lowestOf } from './axis-steps.ts';
import {
  type BandChart,
  type CategoryChart,
  type ChartCategory,
  type ChartDescription,
  type ChartMeasure,
  type ChartPoint,
  type ChartSeries,
  fewRows,
  type HeatMapChart,
  type ScatterChart,
} from './chart-description.ts';
import { shown } from './format.ts';

/** Where the chart leaves room. */
export interface ChartRoom {
  readonly width: number;
  /** Room on the right for the names of series. */
  readonly right: number;
}

const fontSize = 12;

/** A description as the drawing library wants it. */
export function optionOf(chart: ChartDescription, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const base = {
    animation: false,
    textStyle: { fontFamily: theme.font, fontSize },
    grid: { left: 0, right: room.right, top: 12, bottom: 4, containLabel: true },
  };
  switch (chart.kind) {
    case 'heat-map':
      return { ...base, ...heatMap(chart, theme, room) };
    case 'scatter':
      return { ...base, ...scatter(chart, theme) };
    default:
      return { ...base, ...categories(chart, theme, room) };
  }
}

/** Colours by the place of a series among those that are not the window before, which takes the colour of its own. */
export function colourOf(chart: CategoryChart | BandChart, at: number, theme: ChartTheme): string {
  const series = chart.series[at];
  if (series?.role === 'others') return theme.others;
  if (series?.colour) return theme.series[series.colour - 1] ?? theme.text;
  if (series?.role === 'line') return theme.text;
  const own = chart.series.filter(({ role }) => role !== 'before');
  const place = series?.role === 'before' ? 0 : own.indexOf(series as ChartSeries);
  return theme.series[place % theme.series.length] ?? theme.text;
}

const axisText = (theme: ChartTheme) => ({ color: theme.secondary, fontSize });

const valueAxis = (theme: ChartTheme, measure: ChartMeasure, low: number, high: number) => ({
  type: 'value',
  ...axisOf(low, high, measure),
  axisLabel: { ...axisText(theme), formatter: (value: number) => shown(value, measure) },
  splitLine: { lineStyle: { color: theme.border, opacity: 0.7 } },
});

const categoryAxis = (theme: ChartTheme, all: readonly ChartCategory[], most: number) => ({
  type: 'category',
  data: all.map(({ label }) => label),
  axisTick: { show: false },
  axisLine: { lineStyle: { color: theme.border } },
  axisLabel: {
    ...axisText(theme),
    interval: Math.max(0, Math.ceil(all.length / Math.max(1, most)) - 1),
    hideOverlap: true,
  },
});

function categories(chart: CategoryChart | BandChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const isBars = chart.kind !== 'line' && chart.kind !== 'band';
  const isStacked = chart.kind === 'stacked-bar';
  const values = valuesOf(chart, isStacked);
  const across = { ...categoryAxis(theme, chart.categories, (room.width - room.right - 60) / 64), boundaryGap: isBars };
  const up = valueAxis(theme, chart.measure, lowestOf(values, isBars), Math.max(0, ...values));
  const isHorizontal = chart.kind !== 'band' && chart.isHorizontal === true;
  const series = chart.series.map((one, at) => {
    const colour = colourOf(chart, at, theme);
    return isBars && one.role !== 'line' && one.role !== 'before'
      ? bars(one, chart, colour, theme)
      : line(one, chart.categories, colour, theme);
  });
  return {
    ...(isHorizontal
      ? {
          yAxis: { ...across, inverse: true, axisLabel: { ...axisText(theme), width: 140, overflow: 'truncate' } },
          xAxis: { ...up, axisLabel: { ...up.axisLabel, hideOverlap: true } },
        }
      : { xAxis: across, yAxis: up }),
    series: chart.kind === 'band' ? [...band(chart, theme), ...series] : series,
  };
}

function valuesOf(chart: CategoryChart | BandChart, isStacked: boolean): number[] {
  const lines = chart.series.filter(({ role }) => !isStacked || role === 'line' || role === 'before');
  const single = lines.flatMap(({ points }) => points.map(({ value }) => value ?? Number.NaN));
  const stacks = isStacked
    ? chart.categories.map((_, at) =>
        chart.series.reduce(
          (sum, { role, points }) => sum + (role === 'line' || role === 'before' ? 0 : (points[at]?.value ?? 0)),
          0,
        ),
      )
    : [];
  const edges =
    chart.kind === 'band' ? [...chart.band.low, ...chart.band.high].map((value) => value ?? Number.NaN) : [];
  return [...single, ...stacks, ...edges].filter(Number.isFinite);
}

const isFew = ({ n }: ChartPoint): boolean => typeof n === 'number' && n < fewRows;

/** Stripes in the colour of the page: a bucket that is not whole. */
const hatching = (theme: ChartTheme) => ({
  symbol: 'rect',
  color: theme.background,
  dashArrayX: [1, 0],
  dashArrayY: [3, 4],
  rotation: Math.PI / 4,
});

function bars(series: ChartSeries, chart: CategoryChart | BandChart, colour: string, theme: ChartTheme) {
  const isStacked = chart.kind === 'stacked-bar';
  return {
    type: 'bar',
    name: series.name,
    ...(isStacked ? { stack: 'all' } : {}),
    barCategoryGap: chart.kind === 'histogram' ? '4%' : '24%',
    barMaxWidth: 56,
    cursor: 'pointer',
    data: series.points.map((point, at) => {
      const isHollow = !isStacked && isFew(point);
      return {
        value: point.value,
        itemStyle: {
          color: isHollow ? theme.background : colour,
          // The gap between parts of a stack is a line in the colour of the page.
          borderColor: isHollow ? colour : theme.background,
          borderWidth: isHollow ? 1.5 : isStacked ? 1 : 0,
          ...(chart.categories[at]?.isPartial ? { decal: hatching(theme) } : {}),
        },
      };
    }),
  };
}

function line(series: ChartSeries, all: readonly ChartCategory[], colour: string, theme: ChartTheme) {
  const isBefore = series.role === 'before';
  return {
    type: 'line',
    name: series.name,
    symbolSize: 7,
    showAllSymbol: true,
    connectNulls: false,
    cursor: 'pointer',
    z: isBefore ? 2 : 3,
    lineStyle: {
      color: colour,
      width: isBefore ? 1.5 : 2,
      type: isBefore ? [4, 4] : 'solid',
      opacity: isBefore ? 0.75 : 1,
    },
    data: series.points.map((point, at) => ({
      value: point.value,
      symbol: isBefore ? 'none' : all[at]?.isPartial ? 'diamond' : 'circle',
      symbolSize: all[at]?.isPartial ? 10 : isFew(point) ? 8 : 6,
      itemStyle:
        isFew(point) || all[at]?.isPartial
          ? { color: theme.background, borderColor: colour, borderWidth: 1.5 }
          : { color: colour, borderColor: colour, borderWidth: 0 },
    })),
  };
}

/** Two stacked areas of which only the upper one is seen. */
function band(chart: BandChart, theme: ChartTheme) {
  const { low, high } = chart.band;
  const part = (data: readonly (number | null)[], opacity: number) => ({
    type: 'line',
    stack: 'band',
    symbol: 'none',
    silent: true,
    lineStyle: { opacity: 0 },
    areaStyle: { color: theme.others, opacity },
    data,
  });
  return [
    part(low, 0),
    part(
      high.map((value, at) => (value === null ? null : value - (low[at] ?? 0))),
      0.28,
    ),
  ];
}

function heatMap(chart: HeatMapChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const values = chart.cells.flat().map(({ value }) => value ?? 0);
  const bare = { axisLine: { show: false }, splitLine: { show: false } };
  return {
    xAxis: { ...categoryAxis(theme, chart.columns, (room.width - 60) / 44), ...bare },
    yAxis: { ...categoryAxis(theme, chart.rows, 30), ...bare, inverse: true },
    visualMap: {
      show: false,
      min: 0,
      max: Math.max(1e-9, ...values),
      inRange: { color: [theme.surface, theme.series[0] ?? theme.accent] },
    },
    series: [
      {
        type: 'heatmap',
        cursor: 'pointer',
        itemStyle: { borderColor: theme.background, borderWidth: 2, borderRadius: 3 },
        data: chart.cells.flatMap((row, at) => row.map(({ value }, column) => [column, at, value ?? '-'])),
      },
    ],
  };
}

/** From 1 on, with marks that people count in: 1h, 1d, 1 000. */
function logarithmicAxis(theme: ChartTheme, measure: ChartMeasure, values: readonly number[]) {
  const marks = logarithmicMarks(values, measure);
  return {
    type: 'log',
    min: marks[0],
    max: marks.at(-1),
    axisLine: { show: false },
    axisTick: { show: false, customValues: marks },
    axisLabel: { ...axisText(theme), customValues: marks, formatter: (value: number) => shown(value, measure) },
    splitLine: { show: false },
  };
}

function scatter(chart: ScatterChart, theme: ChartTheme): EChartsCoreOption {
  const [xs, ys] = [chart.dots.map(({ x }) => x), chart.dots.map(({ y }) => y)];
  const axis = (measure: ChartMeasure, values: number[], isLogarithmic = false) =>
    isLogarithmic ? logarithmicAxis(theme, measure, values) : valueAxis(theme, measure, 0, Math.max(0, ...values));
  const name = (text: string) => ({ name: text, nameLocation: 'middle', nameTextStyle: axisText(theme) });
  return {
    grid: { left: 24, right: 16, top: 12, bottom: 24, containLabel: true },
    xAxis: { ...axis(chart.x.measure, xs, chart.x.isLogarithmic), ...name(chart.x.title), nameGap: 28 },
    yAxis: { ...axis(chart.measure, ys, chart.isLogarithmic), ...name(chart.yTitle), nameGap: 60 },
    series: [
      {
        type: 'scatter',
        symbolSize: 8,
        cursor: 'pointer',
        data: chart.dots.map(({ x, y, series = 0 }) => ({
          value: [chart.x.isLogarithmic ? Math.max(x, 1) : x, chart.isLogarithmic ? Math.max(y, 1) : y],
          itemStyle: { color: theme.series[series % 6], opacity: 0.6 },
        })),
      },
    ],
  };
}
