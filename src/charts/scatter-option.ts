import type { EChartsCoreOption } from 'echarts/core';
import { axisOf, axisText, logarithmicAxis, logarithmicMarks, valueAxis } from './chart-axes.ts';
import type { ChartMeasure, ScatterChart } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { shown } from './shown-value.ts';

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
