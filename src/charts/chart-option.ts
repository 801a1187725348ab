import type { EChartsCoreOption } from 'echarts/core';
import {
  axisText,
  type ChartRoom,
  categoryAxis,
  fontSize,
  lowestOf,
  type Outlier,
  outlierOf,
  periodLabels,
  valueAxis,
} from './chart-axes.ts';
import type { BandChart, CategoryChart, ChartDescription, ChartSeries } from './chart-description.ts';
import { type ChartTheme, colourInTheme, paled } from './chart-theme.ts';
import { heatMapOption } from './heat-map-option.ts';
import { goalsWithin, markSeries, roomForFlags } from './mark-lines.ts';
import { scatterOption } from './scatter-option.ts';
import { barSeries, lineSeries, litDot } from './series-option.ts';
import { shown } from './shown-value.ts';

/** A description as the drawing library wants it. */
export function optionOf(chart: ChartDescription, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const base = {
    animation: false,
    textStyle: { fontFamily: theme.font, fontSize },
    grid: { left: 0, right: room.right, top: minTop, bottom: 4, containLabel: true },
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

/** Room above the highest mark, and above one with a number on it. */
const [minTop, roomForNumber] = [12, 24];

function categories(chart: CategoryChart | BandChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const isBars = chart.kind !== 'line' && chart.kind !== 'band';
  const isHorizontal = chart.kind !== 'band' && chart.isHorizontal === true;
  const values = valuesOf(chart);
  const outlier = isHorizontal || chart.kind === 'histogram' ? undefined : outlierOf(values, chart.measure);
  const goals = isHorizontal ? [] : goalsWithin(chart, values);
  const low = lowestOf([...values, ...goals], isBars);
  const labels = chart.kind === 'histogram' ? (room.width - room.right - 60) / 40 : periodLabels(room);
  const { lit } = room;
  const isLitLine = lit !== undefined && !(isBars && isOfStack(chart.series[lit.series]));
  const across = {
    ...categoryAxis(theme, chart.categories, isHorizontal ? Infinity : labels),
    boundaryGap: isBars,
    ...(isLitLine && !isBars ? { splitLine: lineAt(lit.category, chart.categories.length - 1, theme) } : {}),
  };
  const up = valueAxis(theme, chart.measure, low, Math.max(0, ...goals, ...(outlier ? [outlier.next] : values)));
  const own = chart.series.filter(({ role }) => role !== 'before');
  const hasArea = chart.kind === 'line' && own.length === 1 && up.min === 0;
  const series = chart.series.flatMap((one, at) => {
    const full = colourInTheme(theme, chart.series, at);
    const colour = lit && lit.series !== at ? paled(full, theme) : full;
    return isBars && isOfStack(one)
      ? barSeries(one, chart, { colour, theme, lit: lit?.series === at ? lit.category : undefined })
      : lineSeries(one, chart.categories, { colour, theme, hasArea: hasArea && one.role !== 'before' });
  });
  const isNumbered = outlier !== undefined || chart.kind === 'histogram';
  const flags = roomForFlags(chart, room);
  const top = (isNumbered ? roomForNumber : minTop) + flags;
  return {
    grid: { left: 0, right: room.right, top, bottom: 4, containLabel: true },
    ...(isHorizontal
      ? {
          yAxis: { ...across, inverse: true, axisLabel: { ...axisText(theme), width: 140, overflow: 'truncate' } },
          xAxis: { ...up, axisLabel: { ...up.axisLabel, hideOverlap: true } },
        }
      : { xAxis: across, yAxis: up }),
    series: [
      ...(chart.kind === 'band' ? band(chart, theme) : []),
      ...series,
      ...(outlier ? [numberAtEdge(chart, outlier, up.max, theme)] : []),
      ...(isHorizontal ? [] : markSeries(chart, theme, room, up.max)),
      ...(isLitLine ? [litDot(chart, lit, theme)] : []),
    ],
  };
}

const isOfStack = (one: ChartSeries | undefined): boolean => one?.role !== 'line' && one?.role !== 'before';

/** A line through one category only. */
const lineAt = (category: number, last: number, theme: ChartTheme) => ({
  show: true,
  // The first and the last are drawn whatever the interval says.
  showMinLine: category === 0,
  showMaxLine: category === last,
  interval: (at: number) => at === category,
  lineStyle: { color: theme.tertiary },
});

/** The height of all bars of a category on each other. */
const stackAt = ({ series }: CategoryChart | BandChart, at: number): number =>
  series.reduce((sum, one) => sum + (isOfStack(one) ? (one.points[at]?.value ?? 0) : 0), 0);

function valuesOf(chart: CategoryChart | BandChart): number[] {
  const isStacked = chart.kind === 'stacked-bar';
  const single = chart.series
    .filter((one) => !isStacked || !isOfStack(one))
    .flatMap(({ points }) => points.map(({ value }) => value ?? Number.NaN));
  const stacks = isStacked ? chart.categories.map((_, at) => stackAt(chart, at)) : [];
  const edges =
    chart.kind === 'band' ? [...chart.band.low, ...chart.band.high].map((value) => value ?? Number.NaN) : [];
  return [...single, ...stacks, ...edges].filter(Number.isFinite);
}

/** What goes beyond the axis is cut there. Its number stands at the edge, so that nobody reads the edge for it. */
function numberAtEdge(chart: CategoryChart | BandChart, { value }: Outlier, edge: number, theme: ChartTheme): object {
  const isHere = (at: number): boolean =>
    (chart.kind === 'stacked-bar' && stackAt(chart, at) === value) ||
    chart.series.some(({ points }) => points[at]?.value === value);
  const label = {
    show: true,
    position: 'top',
    formatter: `${shown(value, chart.measure)} ↑`,
    color: theme.text,
    fontSize,
    fontWeight: 600,
  };
  const invisible = { symbol: 'circle', symbolSize: 1, itemStyle: { opacity: 0 }, label };
  return {
    type: 'line',
    silent: true,
    showAllSymbol: true,
    lineStyle: { opacity: 0 },
    data: chart.categories.map((_, at) => (isHere(at) ? { value: edge, ...invisible } : null)),
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
