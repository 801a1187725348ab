import type { DateLevel } from '../../../../src/calendar.ts';
import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import type { CategoryChart, ChartMark } from '../../../../src/charts/chart-description.ts';
import { chosenGroups, type GroupSeries } from '../../../../src/charts/metric-chart.ts';
import { noPoint, numberIn, type Point, pointOf } from '../../ask/figure.ts';
import { aboutMetric, addsUp, measureOf, valueColumn } from '../../ask/metric-facts.ts';
import type { Row } from '../../ask/send.ts';
import type { TimeBucket } from '../../ask/windows.ts';
import { bucketCategory } from '../../view/format.ts';
import { type Exploration, isAboutPeople } from './exploration.ts';

/** Columns and values of the rows behind a mark. */
export type GroupWhere = Readonly<Record<string, string | null>>;

interface DrawnAnswer {
  readonly chart: CategoryChart;
  readonly behind: (mark: ChartMark) => { readonly bucket?: TimeBucket; readonly where: GroupWhere } | undefined;
  /** How many groups are not drawn. */
  readonly left: number;
}

/** The course of the window before, and what both are called. */
export interface ComparedCourse {
  readonly now: string;
  readonly before: string;
  readonly points: readonly Point[];
}

const maxBars = 30;

/** Columns of an answer that are neither its bucket nor its numbers. */
export function groupColumns(rows: readonly Row[], asked: Exploration): readonly string[] {
  const { metric, level } = asked;
  const value = valueColumn(metric, asked.aggregation);
  const sizes = metric === 'pull-requests-size' ? ['additions', 'deletions', 'total_changes'] : [];
  const numbers = sizes.map((one) => `${(asked.aggregation ?? '').toLowerCase()}_${one}`);
  const others = new Set([value, 'n', 'date_level_not_set', ...(level ? [`${level}_date`] : []), ...numbers]);
  return Object.keys(rows[0] ?? {}).filter((column) => !others.has(column));
}

const cellText = (cell: Row[string] | undefined): string | null =>
  cell === null || cell === undefined
    ? null
    : typeof cell === 'object' && !Array.isArray(cell)
      ? JSON.stringify(cell)
      : String(cell);
export const groupWhere = (row: Row, columns: readonly string[]): GroupWhere =>
  Object.fromEntries(columns.map((column) => [column, cellText(row[column])]));
const groupName = (row: Row, columns: readonly string[]): string =>
  columns
    .map((column) => {
      const text = cellText(row[column]);
      return text === null ? 'None' : valueLabel(column, text);
    })
    .join(' / ');

/** People are listed by name, whatever the question was: a list of people is no ranking. */
export function inFairOrder(rows: readonly Row[], asked: Exploration): readonly Row[] {
  if (!isAboutPeople(asked)) return rows;
  const columns = groupColumns(rows, asked);
  return rows.toSorted((a, b) => groupName(a, columns).localeCompare(groupName(b, columns)));
}

/** The answer as a chart; undefined where it is a text, a single number or nothing. */
export function drawnAnswer(
  rows: readonly Row[],
  asked: Exploration,
  buckets: readonly TimeBucket[],
  title: string,
  compared?: ComparedCourse,
): DrawnAnswer | undefined {
  if (rows.length === 0 || aboutMetric(asked.metric).kind === 'text') return undefined;
  const columns = groupColumns(rows, asked);
  if (asked.level) return overTime(rows, asked, asked.level, buckets, columns, title, compared);
  return columns.length === 0 ? undefined : byGroup(rows, asked, columns, title);
}

const pointsFor = (points: readonly Point[], canAdd: boolean) =>
  points.map(({ value, n }) => (canAdd ? { value } : { value, n }));

function overTime(
  rows: readonly Row[],
  asked: Exploration,
  level: DateLevel,
  buckets: readonly TimeBucket[],
  columns: readonly string[],
  title: string,
  compared: ComparedCourse | undefined,
): DrawnAnswer {
  const canAdd = addsUp(asked.metric, asked.aggregation);
  const value = valueColumn(asked.metric, asked.aggregation);
  const places = new Map(buckets.map(({ name }, at) => [name, at]));
  const groups = new Map<string, { where: GroupWhere; points: Point[] }>();
  for (const row of rows) {
    const name = columns.length === 0 ? title : groupName(row, columns);
    const group = groups.get(name) ?? { where: groupWhere(row, columns), points: buckets.map(() => noPoint) };
    groups.set(name, group);
    const at = places.get(String(row[`${level}_date`]));
    if (at !== undefined) group.points[at] = pointOf(row, value);
  }
  const all: GroupSeries[] = [...groups].map(([key, { points }]) => ({ key, points }));
  const kind = canAdd ? (groups.size > 1 ? 'stacked-bar' : 'bar') : 'line';
  const drawn = chosenGroups(all, kind === 'stacked-bar' ? 'stacked-bar' : 'line');
  return {
    chart: {
      kind,
      title,
      measure: measureOf(asked.metric, asked.aggregation),
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        ...drawn.map(({ key, points }) => ({
          name: compared ? compared.now : (key ?? 'None'),
          points: pointsFor(points, canAdd),
          ...(key === 'others' && !groups.has('others') ? { role: 'others' as const } : {}),
        })),
        ...(compared
          ? [{ name: compared.before, role: 'before' as const, points: pointsFor(compared.points, canAdd) }]
          : []),
      ],
    },
    behind: ({ series, category }) => {
      const [bucket, group] = [buckets[category], drawn[series]];
      const key = group?.key;
      return bucket && group && { bucket, where: groups.get(key ?? '')?.where ?? {} };
    },
    left: kind === 'line' ? Math.max(0, all.length - drawn.length) : 0,
  };
}

/** Largest first; people by name. */
function byGroup(rows: readonly Row[], asked: Exploration, columns: readonly string[], title: string): DrawnAnswer {
  const canAdd = addsUp(asked.metric, asked.aggregation);
  const value = valueColumn(asked.metric, asked.aggregation);
  const isSorted = isAboutPeople(asked) || asked.orderBy !== undefined || columns.includes('review_hour_of_day');
  const ordered = isSorted
    ? inFairOrder(rows, asked)
    : rows.toSorted((a, b) => (numberIn(b, value) ?? 0) - (numberIn(a, value) ?? 0));
  const drawn = ordered.slice(0, maxBars);
  return {
    chart: {
      kind: 'bar',
      isHorizontal: true,
      title,
      measure: measureOf(asked.metric, asked.aggregation),
      categories: drawn.map((row) => ({ label: groupName(row, columns) })),
      series: [
        {
          name: title,
          points: pointsFor(
            drawn.map((row) => pointOf(row, value)),
            canAdd,
          ),
        },
      ],
    },
    behind: ({ category }) => {
      const row = drawn[category];
      return row && { where: groupWhere(row, columns) };
    },
    left: rows.length - drawn.length,
  };
}
