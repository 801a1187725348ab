// The description of a chart as plain data: no React, no drawing library, no functions. Whatever draws it, here or on
// the server, and whatever lists it as a table or says it in a sentence, takes this.

export type ChartMeasure = 'duration' | 'percent' | 'count' | 'number' | 'usd' | 'bytes';

/** One of the colours of series. One thing keeps its colour on all pages. */
export type OwnColour = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface ChartPoint {
  /** null where there is nothing: drawn as a gap. */
  readonly value: number | null;
  /** Rows that have the value; below `fewRows` the mark is an open dot, joined to nothing. */
  readonly n?: number | null;
}

export interface ChartCategory {
  /** On the axis. */
  readonly label: string;
  /** The name in sentences, tooltips and tables; by default the label. */
  readonly name?: string;
  /** The known part of a period that is not whole, in words: `so far`. Marks of such periods are pale or dotted. */
  readonly part?: string;
  /** Of a histogram: outside of what is usual. Its bar is pale. */
  readonly isQuiet?: boolean;
  /** The window begins within this period. A chart begins after it; its table has it. */
  readonly isCutAtStart?: boolean;
}

export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  /** `before`: the window compared with, dotted and grey. `others`: the rest, grey. `line`: a line above bars. */
  readonly role?: 'before' | 'others' | 'line';
  /** By position otherwise. */
  readonly colour?: OwnColour;
}

interface ChartFrame {
  /** The measured quantity. */
  readonly title: string;
  /** The columns and the subject, for the line under the title. */
  readonly subtitle?: string;
  readonly measure: ChartMeasure;
  readonly better?: 'lower' | 'higher' | null;
  /** What the records behind a mark are called: `deployments`. */
  readonly of?: string;
  /** The page has counted rows or added numbers up: the points themselves stand in no answer. */
  readonly isAddedUp?: boolean;
}

/** A line at the value that a goal sets. */
export interface ChartGoal {
  readonly value: number;
  readonly title: string;
}

/** Something that happened, as a flag over the chart. */
export interface ChartAnnotation {
  /** The position of the category in which it happened. */
  readonly category: number;
  readonly title: string;
  /** `2 Mar`, or `2 Mar – 5 Mar`. */
  readonly days: string;
  readonly kind: string;
  readonly author?: string;
}

/** What a chart over time shows besides its series. */
interface ChartMarks {
  /** From the lowest up. */
  readonly goals?: readonly ChartGoal[];
  /** Earliest first. */
  readonly annotations?: readonly ChartAnnotation[];
}

/** Series over categories, most often weeks. */
export interface CategoryChart extends ChartFrame, ChartMarks {
  readonly kind: 'line' | 'bar' | 'stacked-bar' | 'histogram';
  readonly categories: readonly ChartCategory[];
  readonly series: readonly ChartSeries[];
  /** Horizontal bars, for categories with long names. */
  readonly isHorizontal?: boolean;
}

/** A line with a band behind it: quartiles of others, or the usual range. */
export interface BandChart extends ChartFrame, ChartMarks {
  readonly kind: 'band';
  readonly categories: readonly ChartCategory[];
  readonly series: readonly ChartSeries[];
  readonly band: {
    readonly name: string;
    readonly low: readonly (number | null)[];
    readonly high: readonly (number | null)[];
  };
}

/** A value for each pair of column and row, such as hour and weekday. */
export interface HeatMapChart extends ChartFrame {
  readonly kind: 'heat-map';
  /** Each colour stands for values some times as large as those of the one before. */
  readonly isLogarithmic?: boolean;
  readonly columns: readonly ChartCategory[];
  readonly rows: readonly ChartCategory[];
  /** Values by row, then by column. */
  readonly cells: readonly (readonly ChartPoint[])[];
}

export interface ScatterChart extends ChartFrame {
  readonly kind: 'scatter';
  /** The measure of the x axis; `measure` is that of the y axis. */
  readonly x: { readonly title: string; readonly measure: ChartMeasure; readonly isLogarithmic?: boolean };
  readonly yTitle: string;
  readonly isLogarithmic?: boolean;
  readonly dots: readonly { readonly name: string; readonly x: number; readonly y: number; readonly series?: number }[];
}

export type ChartDescription = CategoryChart | BandChart | HeatMapChart | ScatterChart;

/** An average of fewer rows says little. */
export const fewRows = 5;

/** One mark of a chart: of a series at a category, a cell of a heat map (row as series), or a dot. */
export interface ChartMark {
  readonly series: number;
  readonly category: number;
}

/** Every value that is drawn as it was answered, to compare it with the answer. Sums made here are not among them. */
export function answeredValues(chart: ChartDescription): number[] {
  if (chart.isAddedUp) return [];
  const points =
    chart.kind === 'heat-map'
      ? chart.cells.flat()
      : chart.kind === 'scatter'
        ? chart.dots.flatMap(({ x, y }) => [{ value: x }, { value: y }])
        : chart.series.flatMap((one) => (one.role === 'others' ? [] : one.points));
  return points.flatMap(({ value }) => value ?? []);
}

/** How many series and categories the arrow keys walk along. */
export function extentOf(chart: ChartDescription): { readonly series: number; readonly categories: number } {
  switch (chart.kind) {
    case 'heat-map':
      return { series: chart.rows.length, categories: chart.columns.length };
    case 'scatter':
      return { series: 1, categories: chart.dots.length };
    default:
      return { series: chart.series.length, categories: chart.categories.length };
  }
}
