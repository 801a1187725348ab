import { labelOf } from '../../calendar.ts';
import type { Unit, ValueColumn } from '../../catalogue/metric.ts';
import type { FieldType, Json } from '../../catalogue/record.ts';
import type { AnswerRow, Cell } from '../plan.ts';
import type { AnswerColumn, MetricRequest, RequestedMetric } from '../request.ts';
import { bucketsOf } from '../request-window.ts';
import { cellReader, compareCellLists } from './cell.ts';
import { type Meta, type MetaNotes, metaOf } from './results.ts';

/** One line of a chart, a number for each category. */
export interface Series {
  readonly name: string;
  readonly data: readonly (number | null)[];
  /** How many rows have each of these values, where that is asked for. */
  readonly n?: readonly (number | null)[];
}

export interface Chart {
  readonly series: readonly Series[];
  readonly categories: readonly string[];
}

type SeriesAnswer =
  | (Chart & { readonly meta: Meta & { readonly unit?: Unit } })
  | { readonly metrics: Readonly<Record<string, Chart & { readonly unit?: Unit }>>; readonly meta: Meta };

/** An answer, and whether it shows all that there is. */
export interface Charted {
  readonly answer: SeriesAnswer;
  readonly isCut: boolean;
  /** How many series there would be. */
  readonly total: number;
}

/** People cannot read more lines than this. */
const maxSeries = 200;

type SeriesRequest = Pick<MetricRequest, 'metrics' | 'isMultiple' | 'filters' | 'window' | 'zone' | 'level'>;

/** Rows as lines over every bucket of the window, with or without rows. Rows come whole and in any order. */
export function chartSeries(
  asked: SeriesRequest,
  columns: readonly AnswerColumn[],
  rows: readonly AnswerRow[],
  notes: MetaNotes = {},
): Charted {
  const level = asked.level ?? 'month';
  const buckets = asked.window ? bucketsOf(asked.window, level) : [];
  const categories = buckets.map(({ name }) => labelOf(level, name));
  const positions = new Map<Cell, number>(buckets.map(({ name }, i) => [name, i]));
  const { groups, groupOfRow } = groupsOf(columns, rows);

  const charts = asked.metrics.map((metric) => {
    const lines = linesOf(metric, columns);
    const max = Math.floor(maxSeries / lines.length);
    return { metric, lines, shown: largest(groups, lines.at(-1)?.at ?? 0, max) };
  });
  const bucketAt = columns.findIndex(({ role }) => role === 'bucket');
  const drawn = new Map(charts.flatMap(({ shown }) => shown.map((group) => [group, [] as AnswerRow[]])));
  for (const [i, row] of rows.entries()) {
    const position = positions.get(row[bucketAt] ?? null);
    const rowsByBucket = groupOfRow[i] && drawn.get(groupOfRow[i]);
    if (rowsByBucket && position !== undefined) rowsByBucket[position] = row;
  }

  const chartOf = ({ metric, lines, shown }: (typeof charts)[number]): Chart => ({
    series: shown.flatMap((group) =>
      lines.map(({ at, nAt, part, ofNothing }) => {
        const points = (column: number, none: 0 | null) =>
          buckets.map((_, position) => numberOr(drawn.get(group)?.[position]?.[column], none));
        return {
          name: `${group.name ?? metric.metric.title}${part === undefined ? '' : `/${part}`}`,
          data: points(at, ofNothing),
          ...(nAt === -1 ? {} : { n: points(nAt, 0) }),
        };
      }),
    ),
    categories,
  });
  const total = charts.reduce((sum, { lines }) => sum + groups.length * lines.length, 0);
  const isCut = charts.some(({ shown }) => shown.length < groups.length);
  return { answer: answerOf(asked, charts.map(chartOf), notes), isCut, total };
}

function answerOf(asked: SeriesRequest, charts: readonly Chart[], notes: MetaNotes): SeriesAnswer {
  const meta = metaOf(asked, { withPrevious: false, ...notes });
  const unitOf = (asks: RequestedMetric | undefined) => asks?.metric.unit && { unit: asks.metric.unit };
  const [only] = charts;
  if (!asked.isMultiple && only) return { ...only, meta: { ...meta, ...unitOf(asked.metrics[0]) } };
  const metrics = asked.metrics.flatMap((asks, i) => {
    const chart = charts[i];
    return chart ? [[asks.metric.name, { ...chart, ...unitOf(asks) }] as const] : [];
  });
  return { metrics: Object.fromEntries(metrics), meta };
}

interface SeriesGroup {
  readonly key: readonly Cell[];
  /** Names of its values, joined; absent where nothing was grouped by. */
  readonly name: string | undefined;
  /** Values by column. */
  readonly sums: number[];
}

/**
 * Groups in the order of their columns, so that a line keeps its place from one answer to the next, and the group of
 * every row. Only sums are kept of them: lines of days are drawn for the few groups that are shown.
 */
function groupsOf(columns: readonly AnswerColumn[], rows: readonly AnswerRow[]) {
  const keyAt = columns.flatMap(({ role }, at) => (role === 'group' ? at : []));
  const valueAt = columns.flatMap(({ role }, at) => (role === 'value' ? at : []));
  const names = keyAt.map((at) => nameReader(columns[at]?.type ?? 'text'));
  const known = new Map<string, SeriesGroup>();
  const groupOf = (key: readonly Cell[]): SeriesGroup => {
    const text = JSON.stringify(key);
    const found = known.get(text);
    if (found) return found;
    const name = key.length === 0 ? undefined : key.map((cell, i) => names[i]?.(cell)).join('/');
    const made = { key, name, sums: columns.map(() => 0) };
    known.set(text, made);
    return made;
  };
  // Without groups there is one line, even where nothing happened.
  if (keyAt.length === 0) groupOf([]);
  const groupOfRow = rows.map((row) => {
    const group = groupOf(keyAt.map((at) => row[at] ?? null));
    for (const at of valueAt) group.sums[at] = (group.sums[at] ?? 0) + (numberOr(row[at], 0) ?? 0);
    return group;
  });
  return { groups: [...known.values()].sort((a, b) => compareCellLists(a.key, b.key)), groupOfRow };
}

/** The lines that a metric has for each group: one, or one for each of its values. The last leads. */
function linesOf({ metric, values }: RequestedMetric, columns: readonly AnswerColumn[]) {
  const nAt = (of: ValueColumn) =>
    columns.findIndex(
      (column) =>
        column.role === 'n' && column.metric === metric && (column.value === undefined || column.value === of),
    );
  return values.map((value) => ({
    at: columns.findIndex(({ role, name }) => role === 'value' && name === value.column),
    nAt: nAt(value),
    part: value.part,
    ofNothing: value.ofNothing,
  }));
}

/** The groups with the largest sums in a column, in the order in which they came. */
function largest(groups: readonly SeriesGroup[], at: number, max: number): readonly SeriesGroup[] {
  if (groups.length <= max) return groups;
  const bySum = groups.toSorted((a, b) => (b.sums[at] ?? 0) - (a.sums[at] ?? 0));
  const kept = new Set(bySum.slice(0, max));
  return groups.filter((group) => kept.has(group));
}

const numberOr = (cell: Cell | undefined, other: 0 | null): number | null => (typeof cell === 'number' ? cell : other);

/** A value of a group column as a reader of a chart sees it. */
function nameReader(type: FieldType): (cell: Cell) => string {
  const read = cellReader(type);
  return (cell) => (cell === null ? '(none)' : nameOf(read(cell)));
}

function nameOf(value: Json): string {
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')) {
    return value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
