import { axisOf, logarithmicMarks } from './axis-steps.ts';
import type { ChartCategory, ChartMeasure } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { grouped, shown } from './shown-value.ts';

/** Where the chart leaves room. */
export interface ChartRoom {
  readonly width: number;
  /** Room on the right for the names of series. */
  readonly right: number;
}

export const fontSize = 12;

export const axisText = (theme: ChartTheme) => ({ color: theme.secondary, fontSize });

export function valueAxis(theme: ChartTheme, measure: ChartMeasure, low: number, high: number) {
  const axis = axisOf(low, high, measure);
  return {
    type: 'value',
    ...axis,
    axisLabel: { ...axisText(theme), formatter: (value: number) => shownOnAxis(value, measure, axis.interval) },
    splitLine: { lineStyle: { color: theme.border, opacity: 0.7 } },
  };
}

/** Steps of whole dollars need no cents. */
const shownOnAxis = (value: number, measure: ChartMeasure, interval: number): string =>
  measure === 'usd' && Number.isInteger(interval) ? `$${grouped(value)}` : shown(value, measure);

/** Which categories have a label where there is no room for all. What is said of the last one is always seen. */
function shownLabels(all: readonly ChartCategory[], most: number): number | ((at: number) => boolean) {
  const step = Math.max(1, Math.ceil(all.length / Math.max(1, most)));
  return all.at(-1)?.part === undefined ? step - 1 : (at) => (all.length - 1 - at) % step === 0;
}

export const categoryAxis = (theme: ChartTheme, all: readonly ChartCategory[], most: number) => ({
  type: 'category',
  data: all.map(({ label }) => label),
  axisTick: { show: false },
  axisLine: { lineStyle: { color: theme.border } },
  axisLabel: {
    ...axisText(theme),
    interval: shownLabels(all, most),
    hideOverlap: true,
  },
});

/** From 1 on, with marks that people count in: 1h, 1d, 1 000. */
export function logarithmicAxis(theme: ChartTheme, measure: ChartMeasure, values: readonly number[]) {
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
