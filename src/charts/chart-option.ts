import type { EChartsCoreOption } from 'echarts/core';
import {
  axisOf,
  axisText,
  type ChartRoom,
  categoryAxis,
  fontSize,
  logarithmicAxis,
  logarithmicMarks,
  lowestOf,
  valueAxis,
} from './chart-axes.ts';
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
import { type ChartTheme, colourInTheme } from './chart-theme.ts';
import { shown } from './shown-value.ts';

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
  color: theme.surface,
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
          color: isHollow ? theme.surface : colour,
          // The gap between parts of a stack is a line in the colour of the page.
          borderColor: isHollow ? colour : theme.surface,
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
          ? { color: theme.surface, borderColor: colour, borderWidth: 1.5 }
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

export function scatterOption(chart: ScatterChart, theme: ChartTheme): EChartsCoreOption {
  const [xs, ys] = [chart.dots.map(({ x }) => x), chart.dots.map(({ y }) => y)];
  const axis = (measure: ChartMeasure, values: number[], isLogarithmic = false) =>
    isLogarithmic
      ? logarithmicAxis(theme, measure, values)
      : // Beside another axis of values it would have a dark line.
        { ...valueAxis(theme, measure, 0, Math.max(0, ...values)), axisLine: { show: false } };
  // The name of the axis stands beside its labels, however wide they are.
  const marks = chart.isLogarithmic
    ? logarithmicMarks(ys, chart.measure)
    : [axisOf(0, Math.max(0, ...ys), chart.measure).max];
  const widest = 7 * Math.max(...marks.map((mark) => shown(mark, chart.measure).length));
  const name = (text: string) => ({ name: text, nameLocation: 'middle', nameTextStyle: axisText(theme) });
  return {
    grid: { left: 24, right: 16, top: 12, bottom: 24, containLabel: true },
    xAxis: { ...axis(chart.x.measure, xs, chart.x.isLogarithmic), ...name(chart.x.title), nameGap: 28 },
    yAxis: { ...axis(chart.measure, ys, chart.isLogarithmic), ...name(chart.yTitle), nameGap: 18 + widest },
    // A series for each look: dots that have a style of their own take several times as long.
    series: looksOf(chart).flatMap(({ colour, count, places }) =>
      layersOf(places).map((layer) => ({
        type: 'scatter',
        symbolSize: 8,
        cursor: 'pointer',
        itemStyle: { color: theme.series[colour % theme.series.length], opacity: 1 - (1 - opacity) ** count },
        data: layer,
        ...(places.length > maxDrawnSingly ? { large: true, largeThreshold: 0 } : {}),
      })),
    ),
  };
}

const opacity = 0.6;
/** More overlapping dots do not get any darker. */
const darkest = 5;

type Point = readonly [number, number];

interface DotLook {
  readonly colour: number;
  /** How many dots are at each of the places. */
  readonly count: number;
  readonly places: Point[];
}

/** Thousands of dots often share a few places: one is drawn there, as dark as all of them together. */
function looksOf(chart: ScatterChart): readonly DotLook[] {
  const dots = new Map<string, { readonly colour: number; readonly place: Point; count: number }>();
  for (const { x, y, series: colour = 0 } of chart.dots) {
    const place = [chart.x.isLogarithmic ? Math.max(x, 1) : x, chart.isLogarithmic ? Math.max(y, 1) : y] as const;
    const key = `${colour} ${place}`;
    const there = dots.get(key);
    if (there) there.count += 1;
    else dots.set(key, { colour, count: 1, place });
  }
  const looks = new Map<string, DotLook>();
  for (const { colour, count: all, place } of dots.values()) {
    const count = Math.min(all, darkest);
    const look = looks.get(`${colour} ${count}`);
    if (look) look.places.push(place);
    else looks.set(`${colour} ${count}`, { colour, count, places: [place] });
  }
  return [...looks.values()];
}

/** More dots than these are drawn as a few shapes, each of many dots. */
const maxDrawnSingly = 500;

/** One shape is equally dark everywhere. In several, on top of each other, crowded places are still darker. */
function layersOf(places: readonly Point[]): readonly (readonly Point[])[] {
  if (places.length <= maxDrawnSingly) return [places];
  return Array.from({ length: darkest }, (_, layer) => places.filter((_, at) => at % darkest === layer));
}

/** Names longer than this stand upright below their column: beside each other only a few of them would fit. */
const shortName = 4;

/** Every column that has a name shows it, cut where it is very long; the whole one is shown with the cell. */
function columnAxis(theme: ChartTheme, { columns }: HeatMapChart, room: ChartRoom) {
  const axis = categoryAxis(theme, columns, (room.width - 60) / 44);
  if (columns.every(({ label }) => label.length <= shortName)) return axis;
  const upright = { interval: 0, hideOverlap: false, rotate: 90, width: longNames, overflow: 'truncate' };
  return { ...axis, axisLabel: { ...axis.axisLabel, ...upright } };
}

/** How much room names that stand upright may take below the chart. */
export const longNames = 150;

function heatMapOption(chart: HeatMapChart, theme: ChartTheme, room: ChartRoom): EChartsCoreOption {
  const values = chart.cells.flat().map(({ value }) => value ?? 0);
  const bare = { axisLine: { show: false }, splitLine: { show: false } };
  return {
    xAxis: { ...columnAxis(theme, chart, room), ...bare },
    yAxis: { ...categoryAxis(theme, chart.rows, 30), ...bare, inverse: true },
    visualMap: {
      show: false,
      min: 0,
      max: Math.max(1e-9, ...values),
      inRange: { color: [...theme.sequential] },
    },
    series: [
      {
        type: 'heatmap',
        cursor: 'pointer',
        itemStyle: { borderColor: theme.surface, borderWidth: 2, borderRadius: 3 },
        data: chart.cells.flatMap((row, at) => row.map(({ value }, column) => [column, at, value ?? '-'])),
      },
    ],
  };
}
