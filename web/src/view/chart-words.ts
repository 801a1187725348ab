import type {
  ChartCategory,
  ChartDescription,
  ChartMark,
  ChartMeasure,
  ChartPoint,
  ChartSeries,
} from '../../../src/charts/chart-description.ts';
import { grouped, shown } from './format.ts';

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
        row.map(({ value }, column) => ({ value: value ?? 0, at, column })),
      );
      const top = cells.reduce((best, cell) => (cell.value > best.value ? cell : best), { value: 0, at: 0, column: 0 });
      const where = `${nameOf(chart.rows[top.at])}, ${nameOf(chart.columns[top.column])}`;
      return `${chart.rows.length} rows by ${chart.columns.length} columns, highest ${shown(top.value, chart.measure)} at ${where}.`;
    }
    default:
      return chart.series
        .filter(({ role }) => role !== 'before')
        .map((series) => seriesSentence(series, chart.categories, chart.measure))
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
}

/** The text beside the pointer: every series of the bucket, with n. */
export function markWords(chart: ChartDescription, { series, category }: ChartMark): MarkWords {
  if (chart.kind === 'scatter') {
    const dot = chart.dots[category];
    const lines = [
      { name: chart.x.title, value: shown(dot?.x, chart.x.measure), n: '', series: 0, isActive: true },
      { name: chart.yTitle, value: shown(dot?.y, chart.measure), n: '', series: 0, isActive: true },
    ];
    return { title: dot?.name ?? '', lines };
  }
  if (chart.kind === 'heat-map') {
    const point = chart.cells[series]?.[category] ?? { value: null };
    const title = `${nameOf(chart.rows[series])}, ${nameOf(chart.columns[category])}`;
    return {
      title,
      lines: [
        { name: chart.title, value: shown(point.value, chart.measure), n: nText(point), series: 0, isActive: true },
      ],
    };
  }
  const at = chart.categories[category];
  const lines = chart.series.flatMap(({ name, points }, index) => {
    const point = points[category];
    if (!point || (point.value === null && chart.series.length > 1)) return [];
    return {
      name,
      value: shown(point.value, chart.measure),
      n: nText(point),
      series: index,
      isActive: index === series,
    };
  });
  return { title: `${nameOf(at)}${partly(at)}`, lines };
}

const nText = ({ n }: ChartPoint): string => (typeof n === 'number' ? `n ${grouped(n)}` : '');

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
