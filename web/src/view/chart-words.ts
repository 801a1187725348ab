import {
  type ChartCategory,
  type ChartDescription,
  type ChartMark,
  type ChartMeasure,
  type ChartPoint,
  type ChartSeries,
  fewRows,
  type HeatMapChart,
} from '../../../src/charts/chart-description.ts';
import { isFew } from '../../../src/charts/drawn-chart.ts';
import { colouredValue, heatMapScale } from '../../../src/charts/heat-map-option.ts';
import { goalLabel, marksInWords } from '../../../src/charts/mark-lines.ts';
import { countOf } from '../../../src/conclusions/counted-words.ts';
import { grouped, shown, signedDifference } from './format.ts';

/** The series that need a name beside them: all that are drawn, as soon as there are two. */
export function seriesToName(chart: ChartDescription): readonly number[] {
  if (chart.kind === 'heat-map' || chart.kind === 'scatter') return [];
  if (chart.series.length < 2 && chart.kind !== 'band') return [];
  return chart.series.flatMap(({ points }, at) => (points.some(({ value }) => value !== null) ? at : []));
}

const nameOf = (category: ChartCategory | undefined): string => category?.name ?? category?.label ?? '';
const partly = (category: ChartCategory | undefined): string => (category?.part ? `, ${category.part}` : '');
const withN = ({ n }: ChartPoint): string => (typeof n === 'number' ? `, n ${grouped(n)}` : '');

/** A chart in one sentence, for people who do not see it. */
export function chartSentence(chart: ChartDescription): string {
  switch (chart.kind) {
    case 'scatter':
      return `${chart.dots.length} dots, ${chart.x.title} against ${chart.yTitle}.`;
    case 'heat-map': {
      const cells = chart.cells.flatMap((row, at) =>
        row.map((point, column) => ({ value: colouredValue(point) ?? 0, at, column })),
      );
      const top = cells.reduce((best, cell) => (cell.value > best.value ? cell : best), { value: 0, at: 0, column: 0 });
      const where = `${nameOf(chart.rows[top.at])}, ${nameOf(chart.columns[top.column])}`;
      return `${chart.rows.length} rows by ${chart.columns.length} columns, highest ${shown(top.value, chart.measure)} at ${where}.`;
    }
    default:
      return chart.series
        .filter(({ role }) => role !== 'before')
        .map((series) => seriesSentence(series, chart.categories, chart.measure))
        .concat(marksInWords(chart).map((words) => `${words}.`))
        .join(' ');
  }
}

function seriesSentence(
  { name, points }: ChartSeries,
  categories: readonly ChartCategory[],
  measure: ChartMeasure,
): string {
  const known = points.flatMap(({ value }, at) => (value === null ? [] : { value, at }));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return `${name}: no values.`;
  const highest = known.reduce((best, one) => (one.value > best.value ? one : best));
  const said = ({ value, at }: typeof first): string => {
    const part = categories[at]?.part;
    return `${shown(value, measure)}${part ? ` (${part})` : ''}`;
  };
  const ends = `from ${said(first)} to ${said(last)}`;
  return `${name}: ${known.length} values, ${ends}, highest ${shown(highest.value, measure)} (${nameOf(categories[highest.at])}${partly(categories[highest.at])}).`;
}

/** Both ends of the scale of a heat map, the lower one unsaid where all values are alike; undefined where nothing is in it. */
export function scaleWords(chart: HeatMapChart): { readonly low: string; readonly high: string } | undefined {
  const scale = heatMapScale(chart);
  if (!scale) return undefined;
  const { measure, of } = chart;
  const most = of && measure === 'count' ? countOf(scale.high, of) : shown(scale.high, measure);
  const outlined = chart.cells.flat().some(isFew) ? `fewer than ${fewRows}` : 'none';
  const steps = scale.isLogarithmic && scale.low !== scale.high ? ' · logarithmic' : '';
  return {
    low: scale.low === scale.high ? '' : shown(scale.low, measure),
    high: `${most} · outlined: ${outlined}${steps}`,
  };
}

/** A line of a tooltip. */
interface MarkLine {
  readonly name: string;
  readonly value: string;
  readonly n: string;
  readonly series: number;
  readonly isActive: boolean;
}
interface MarkWords {
  readonly title: string;
  readonly lines: readonly MarkLine[];
  /** All parts of a stack together. */
  readonly total?: string;
  /** How the active series moved since the bucket before. */
  readonly change?: string;
  /** How far the active series is from each goal, and what happened in the bucket. */
  readonly notes: readonly string[];
}

/** The text beside the pointer: every series of the bucket, with n. */
export function markWords(chart: ChartDescription, { series, category }: ChartMark): MarkWords {
  if (chart.kind === 'scatter') {
    const dot = chart.dots[category];
    const lines = [
      { name: chart.x.title, value: shown(dot?.x, chart.x.measure), n: '', series: 0, isActive: true },
      { name: chart.yTitle, value: shown(dot?.y, chart.measure), n: '', series: 0, isActive: true },
    ];
    return { title: dot?.name ?? '', lines, notes: [] };
  }
  if (chart.kind === 'heat-map') {
    const point = chart.cells[series]?.[category] ?? { value: null };
    const title = `${nameOf(chart.rows[series])}, ${nameOf(chart.columns[category])}`;
    return {
      title,
      lines: [
        { name: chart.title, value: shown(point.value, chart.measure), n: nText(point), series: 0, isActive: true },
      ],
      notes: [],
    };
  }
  const at = chart.categories[category];
  const lines = chart.series.flatMap(({ name, points }, index) => {
    const point = points[category];
    if (!point || (point.value === null && chart.series.length > 1)) return [];
    return {
      name,
      value: shown(point.value, chart.measure),
      n: nText(point, chart.measure),
      series: index,
      isActive: index === series,
    };
  });
  const [total, change] = [totalText(chart, category), changeText(chart, { series, category })];
  return {
    title: `${nameOf(at)}${partly(at)}`,
    lines,
    ...(total === undefined ? {} : { total }),
    ...(change === undefined ? {} : { change }),
    notes: [...goalTexts(chart, { series, category }), ...annotationTexts(chart, category)],
  };
}

type SeriesChart = Exclude<ChartDescription, HeatMapChart | { readonly kind: 'scatter' }>;

/** Shares of a stack add up to everything, which says nothing. */
function totalText({ kind, measure, series }: SeriesChart, category: number): string | undefined {
  const parts = series.filter(({ role }) => role !== 'line' && role !== 'before');
  if (kind !== 'stacked-bar' || measure === 'percent' || parts.length < 2) return undefined;
  return shown(stackAt({ series: parts }, category), measure);
}

const stackAt = ({ series }: Pick<SeriesChart, 'series'>, category: number): number =>
  series
    .filter(({ role }) => role !== 'line' && role !== 'before')
    .reduce((sum, { points }) => sum + (points[category]?.value ?? 0), 0);

/**
 * How far the active series is from the bucket before. Whether that is a change is for the server to say: here is no
 * word for it, and nothing where either value is of few rows. A period under way is not compared with a whole one, bins
 * of a distribution come in no time, and the window before has buckets of its own.
 */
function changeText({ kind, measure, series, categories }: SeriesChart, mark: ChartMark): string | undefined {
  const before = categories[mark.category - 1];
  if (kind === 'histogram' || !before?.name || before.part || categories[mark.category]?.part) return undefined;
  const { role, points } = series[mark.series] ?? { points: [] };
  const [now, last] = [points[mark.category], points[mark.category - 1]];
  if (role === 'before' || now?.value == null || last?.value == null || isFew(now) || isFew(last)) return undefined;
  return `Since ${before.label}: ${now.value === last.value ? 'no change' : signedDifference(now.value, last.value, measure)}`;
}

/** How far from a goal the value is that is compared with it: of a stack the whole of it. */
function goalTexts(chart: SeriesChart, { series, category }: ChartMark): string[] {
  const active = chart.series[series];
  if (!chart.goals || active?.role === 'before') return [];
  const value =
    chart.kind === 'stacked-bar' && active?.role !== 'line'
      ? stackAt(chart, category)
      : active?.points[category]?.value;
  if (value === null || value === undefined) return [];
  return chart.goals.map((goal) => {
    const distance = signedDifference(value, goal.value, chart.measure);
    return `${goalLabel(goal, chart)}: ${value === goal.value ? 'reached' : distance}`;
  });
}

const annotationTexts = ({ annotations = [] }: SeriesChart, category: number): string[] =>
  annotations
    .filter((one) => one.category === category)
    .map(({ days, title, author }) => `${days}: ${title}${author === undefined ? '' : ` (${author})`}`);

/** How many rows a value rests on: `13 of 161` where it is a share of them. */
const nText = ({ value, n }: ChartPoint, measure?: ChartMeasure): string => {
  if (typeof n !== 'number') return '';
  const part = measure === 'percent' && value !== null ? value * n : Number.NaN;
  return Math.abs(part - Math.round(part)) < 1e-6 && part <= n
    ? `${grouped(Math.round(part))} of ${grouped(n)}`
    : `n ${grouped(n)}`;
};

/** Whether a click on a mark leads to records: those of the window before are not on the page. */
export const opensRecords = (chart: ChartDescription, { series }: ChartMark): boolean =>
  chart.kind === 'heat-map' || chart.kind === 'scatter' || chart.series[series]?.role !== 'before';

/** What a click on a mark leads to: `Click to see the 13 deployments`. */
export function openWords(chart: ChartDescription, { series, category }: ChartMark): string {
  const point =
    chart.kind === 'scatter'
      ? undefined
      : chart.kind === 'heat-map'
        ? chart.cells[series]?.[category]
        : chart.series[series]?.points[category];
  const count = point?.n ?? (chart.measure === 'count' ? point?.value : undefined);
  if (!chart.of || typeof count !== 'number') return 'Click to see the records';
  return count === 1
    ? `Click to see the ${countOf(1, chart.of).slice(2)}`
    : `Click to see the ${countOf(count, chart.of)}`;
}

/** The active mark, for screen readers. */
export function markSentence(chart: ChartDescription, mark: ChartMark): string {
  const { title, lines } = markWords(chart, mark);
  const line = lines.find(({ isActive }) => isActive) ?? lines[0];
  return line ? `${title}: ${line.name} ${line.value}${line.n === '' ? '' : `, ${line.n}`}` : `${title}: no value`;
}

/** The whole chart as a table: the first row is the heading. */
export function chartTable(chart: ChartDescription): readonly (readonly string[])[] {
  switch (chart.kind) {
    case 'scatter':
      return [
        ['', chart.x.title, chart.yTitle],
        ...chart.dots.map(({ name, x, y }) => [name, shown(x, chart.x.measure), shown(y, chart.measure)]),
      ];
    case 'heat-map':
      return [
        ['', ...chart.columns.map(nameOf)],
        ...chart.rows.map((row, at) => [
          nameOf(row),
          ...chart.columns.map((_, column) => shown(chart.cells[at]?.[column]?.value, chart.measure)),
        ]),
      ];
    default:
      return [
        ['', ...chart.series.map(({ name }) => name)],
        ...chart.categories.map((category, at) => [
          `${nameOf(category)}${partly(category)}`,
          ...chart.series.map(
            ({ points }) => `${shown(points[at]?.value, chart.measure)}${withN(points[at] ?? { value: null })}`,
          ),
        ]),
      ];
  }
}
