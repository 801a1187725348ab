import type { ChartCategory, ChartMark, ChartMeasure } from './chart-description.ts';
import type { ChartTheme } from './chart-theme.ts';
import { grouped, shown } from './shown-value.ts';

/** The space around the chart. */
export interface ChartRoom {
  readonly width: number;
  /** Room on the right for the names of series. */
  readonly right: number;
  /** The mark whose records are open: it stays lit, and everything else is pale. */
  readonly lit?: ChartMark | undefined;
}

export const fontSize = 12;

export const axisText = (theme: ChartTheme) => ({ color: theme.tertiary, fontSize, fontFamily: theme.font });

export function valueAxis(theme: ChartTheme, measure: ChartMeasure, low: number, high: number) {
  const axis = axisOf(low, high, measure);
  return {
    type: 'value',
    ...axis,
    axisLabel: {
      ...axisText(theme),
      // An axis that leaves the zero out says so where it begins.
      formatter: (value: number) =>
        `${value === axis.min && axis.min > 0 ? 'from ' : ''}${shownOnAxis(value, measure, axis.interval)}`,
    },
    splitLine: { lineStyle: { color: theme.grid } },
  };
}

/** Steps of whole dollars need no cents, and no time needs no unit. */
function shownOnAxis(value: number, measure: ChartMeasure, interval: number): string {
  if (value === 0 && measure === 'duration') return '0';
  return measure === 'usd' && Number.isInteger(interval) ? `$${grouped(value)}` : shown(value, measure);
}

/** So many labels of periods a reader takes in, on a wide screen and on a narrow one. */
const [maxLabels, maxNarrowLabels, narrow] = [7, 4, 480];

/** How many labels periods have in a chart of this width. */
export const periodLabels = ({ width, right }: ChartRoom): number =>
  Math.min(width < narrow ? maxNarrowLabels : maxLabels, (width - right - 60) / 64);

/** The categories that have a label where there is no room for all. The last one always has its label. */
function shownLabels(all: readonly ChartCategory[], max: number): number | ((at: number) => boolean) {
  const step = Math.max(1, Math.ceil(all.length / Math.max(1, max)));
  return all.at(-1)?.part === undefined ? step - 1 : (at) => (all.length - 1 - at) % step === 0;
}

export const categoryAxis = (theme: ChartTheme, all: readonly ChartCategory[], max: number) => ({
  type: 'category',
  data: all.map(({ label }) => label),
  axisTick: { show: false },
  axisLine: { lineStyle: { color: theme.border } },
  axisLabel: {
    ...axisText(theme),
    interval: shownLabels(all, max),
    hideOverlap: true,
  },
});

/** From 1 up, with the units that people count in: 1h, 1d, 1 000. */
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

const [minute, hour, day] = [60, 3_600, 86_400];
const durationSteps = [1, 2, 5, 10, 15, 30].flatMap((step) => [step, step * minute]);
const longSteps = [1, 2, 3, 6, 12].map((step) => step * hour);
const daySteps = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365].map((step) => step * day);
const steps = [...durationSteps, ...longSteps, ...daySteps].sort((a, b) => a - b);

const maxSteps = 3;

/** Three steps of an axis at most, and so four labels, each a number that people count in: 6 hours, 2 days, 25 %. */
export function axisOf(
  low: number,
  high: number,
  measure: ChartMeasure,
): { min: number; max: number; interval: number } {
  const span = high - low > 0 ? high - low : Math.abs(high) || 1;
  // Where both ends lie within a step, they take one more than the span does.
  let interval = stepFor(span / maxSteps, measure);
  while (stepsBetween(low, high, interval) > maxSteps) interval = stepFor(interval * 1.01, measure);
  const min = Math.floor(low / interval) * interval;
  const max = Math.max(Math.ceil(high / interval) * interval, min + interval);
  // Shares that are added up may miss 1 by a rounding.
  const isWithinOne = measure === 'percent' && high <= 1 + 1e-9;
  return { min, max: isWithinOne ? Math.min(max, Math.max(1, interval)) : max, interval };
}

const stepsBetween = (low: number, high: number, interval: number): number =>
  Math.ceil(high / interval) - Math.floor(low / interval);

function stepFor(min: number, measure: ChartMeasure): number {
  if (measure === 'duration') {
    const step = steps.find((one) => one >= min);
    if (step !== undefined) return step;
  }
  const power = 10 ** Math.floor(Math.log10(min));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= min * (1 - 1e-9)) ?? 10;
  // Deployments have no halves.
  return measure === 'count' ? Math.max(1, Math.ceil(step * power)) : step * power;
}

/** A spread below this share of the mean is none to speak of. An axis shows no less, so that 92, 93, 93 stays flat. */
export const minSpan = 0.12;

/**
 * The lowest value of an axis: 0, or for lines whose course could not be seen from there a value below them. A flat line
 * has no spread to show.
 */
export function lowestOf(values: readonly number[], isFromZero: boolean): number {
  if (values.length === 0) return 0;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low < 0) return low;
  if (isFromZero || low === high || low < 0.85 * high) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.max(0, Math.min(low - (high - low) * 0.2, high - minSpan * mean));
}

/** One value so much higher than all others that it would press them flat. */
export interface Outlier {
  readonly value: number;
  /** The highest of the others, to which the axis goes. */
  readonly next: number;
}

const [minTimes, minValues, minCount] = [4, 4, 5];

/** A single value over four times the next. Of a few records none stands out: beside 1, 1 and 1 a bar of 5 is no outlier. */
export function outlierOf(values: readonly number[], measure: ChartMeasure): Outlier | undefined {
  if (values.length < minValues) return undefined;
  const [value = 0, next = 0] = values.toSorted((a, b) => b - a);
  const isTooFew = measure === 'count' && next < minCount;
  return next > 0 && value > minTimes * next && !isTooFew ? { value, next } : undefined;
}

const durationMarks = [1, 10, minute, 10 * minute, hour, 6 * hour, day, 7 * day, 30 * day, 365 * day, 3_650 * day];

/** The marks of a logarithmic axis that hold all values between them. Values below 1 are drawn at 1. */
export function logarithmicMarks(values: readonly number[], measure: ChartMeasure): number[] {
  const marks = measure === 'duration' ? durationMarks : Array.from({ length: 16 }, (_, power) => 10 ** power);
  const high = Math.max(1, ...values);
  const low = Math.min(high, Math.max(1, Math.min(...values)));
  const first = Math.max(
    0,
    marks.findLastIndex((mark) => mark <= low),
  );
  const last = marks.findIndex((mark) => mark >= high);
  const kept = marks.slice(first, last === -1 ? undefined : last + 1);
  return kept.length > 1 ? kept : marks.slice(first, first + 2);
}
