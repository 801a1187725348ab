import type { EChartsCoreOption } from 'echarts/core';
import { lowestOf } from './axis-steps.ts';
import { axisText, type ChartRoom, categoryAxis, fontSize, valueAxis } from './chart-axes.ts';
import {
  type BandChart,
  type CategoryChart,
  type ChartCategory,
  type ChartDescription,
  type ChartPoint,
  type ChartSeries,
  fewRows,
} from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { heatMapOption } from './heat-map-option.ts';
import { scatterOption } from './scatter-option.ts';
import { colourInTheme } from './series-colours.ts';

/** A description as the drawing library wants it. */
export function optionOf(chart: ChartDescription, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const base = {
    animation: false,
    textStyle: { fontFamily: theme.font, fontSize },
    grid: { left: 0, right: room.right, top: 12, bottom: 4, containLabel: true },
  };
  switch (chart.kind) {
    case 'heat-map':
      return { ...base, ...heatMapOption(chart, theme, room) };
    case 'scatter':
      return { ...base, ...scatterOption(chart, theme) };
    default:
      return { ...base, ...categories(chart, theme, room) };
  }
}

function categories(chart: CategoryChart | BandChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const isBars = chart.kind !== 'line' && chart.kind !== 'band';
  const isStacked = chart.kind === 'stacked-bar';
  const values = valuesOf(chart, isStacked);
  const across = { ...categoryAxis(theme, chart.categories, (room.width - room.right - 60) / 64), boundaryGap: isBars };
  const up = valueAxis(theme, chart.measure, lowestOf(values, isBars), Math.max(0, ...values));
  const isHorizontal = chart.kind !== 'band' && chart.isHorizontal === true;
  const series = chart.series.map((one, at) => {
    const colour = colourInTheme(theme, chart.series, at);
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
          ...(chart.categories[at]?.part ? { decal: hatching(theme) } : {}),
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
      symbol: isBefore ? 'none' : all[at]?.part ? 'diamond' : 'circle',
      symbolSize: all[at]?.part ? 10 : isFew(point) ? 8 : 6,
      itemStyle:
        isFew(point) || all[at]?.part
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
