import type { EChartsCoreOption } from 'echarts/core';
import { axisOf, logarithmicMarks } from './axis-steps.ts';
import { axisText, logarithmicAxis, valueAxis } from './chart-axes.ts';
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
    // A series for each colour: dots that have a style of their own take several times as long.
    series: [...new Set(chart.dots.map(({ series = 0 }) => series))].map((colour) => ({
      type: 'scatter',
      symbolSize: 8,
      cursor: 'pointer',
      itemStyle: { color: theme.series[colour % 6], opacity: 0.6 },
      data: chart.dots
        .filter(({ series = 0 }) => series === colour)
        .map(({ x, y }) => [chart.x.isLogarithmic ? Math.max(x, 1) : x, chart.isLogarithmic ? Math.max(y, 1) : y]),
    })),
  };
}
