import { type ChartCategory, type ChartDescription, type ChartPoint, fewRows } from './chart-description.ts';
import { drawnWords } from './drawn-words.ts';

/** A chart as it is drawn, and how many periods of its description come before the first that is. */
interface DrawnChart<C extends ChartDescription> {
  readonly chart: C;
  readonly skipped: number;
}

/** A chart begins with its first whole period: one that the window cuts would look like a fall. Where none is whole, all stay. */
export function drawnChart<C extends ChartDescription>(chart: C): DrawnChart<C> {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return { chart, skipped: 0 };
  const isWhole = ({ part }: ChartCategory): boolean => part === undefined;
  const skipped = chart.categories.some(isWhole)
    ? Math.max(
        0,
        chart.categories.findIndex(({ isCutAtStart }) => !isCutAtStart),
      )
    : 0;
  if (skipped === 0) return { chart, skipped };
  const drawn = {
    ...chart,
    categories: chart.categories.slice(skipped),
    series: chart.series.map((series) => ({ ...series, points: series.points.slice(skipped) })),
    ...(chart.annotations
      ? {
          annotations: chart.annotations.flatMap((one) =>
            one.category < skipped ? [] : { ...one, category: one.category - skipped },
          ),
        }
      : {}),
    ...(chart.kind === 'band'
      ? { band: { ...chart.band, low: chart.band.low.slice(skipped), high: chart.band.high.slice(skipped) } }
      : {}),
  };
  return { chart: drawn, skipped };
}

/** A value of so few rows that it says little. */
export const isFew = ({ n }: ChartPoint): boolean => typeof n === 'number' && n < fewRows;

/** Whether most values of a series are of few rows: then no line joins them. */
export function isMostlyFew(points: readonly ChartPoint[]): boolean {
  const known = points.filter(({ value }) => value !== null);
  return known.length > 0 && known.filter(isFew).length * 2 > known.length;
}

/** Why a chart of lines has only dots; undefined where it has lines. */
export function fewNote(chart: ChartDescription): string | undefined {
  if (chart.kind !== 'line') return undefined;
  const own = chart.series.filter(({ role }) => role !== 'before');
  return own.length > 0 && own.every(({ points }) => isMostlyFew(points))
    ? drawnWords.tooFewForLine(fewRows)
    : undefined;
}
