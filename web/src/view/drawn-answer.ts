import type { DateLevel } from '../../../src/calendar.ts';
import { valueLabel } from '../../../src/catalogue/labels/shown-names.ts';
import type { CategoryChart, ChartMark, HeatMapChart, OwnColour } from '../../../src/charts/chart-description.ts';
import { chosenGroups, type GroupSeries, othersKey } from '../../../src/charts/metric-chart.ts';
import { type Exploration, isAboutPeople } from '../ask/exploration.ts';
import { noPoint, numberIn, type Point, pointOf } from '../ask/figure.ts';
import { aboutMetric, addsUp, measureOf, valueColumn } from '../ask/metric-facts.ts';
import type { Row } from '../ask/send.ts';
import type { TimeBucket } from '../ask/windows.ts';
import { answerTableWords } from './answer-words.ts';
import { bucketCategory } from './format.ts';

/** Columns and values of the rows behind a mark. */
export type GroupWhere = Readonly<Record<string, string | null>>;

/** How an answer is to be drawn, where its reader or a board says so. */
export type DrawnAs = 'line' | 'bar' | 'stacked' | 'heat' | 'share';

interface DrawnAnswer {
  readonly chart: CategoryChart | HeatMapChart;
  readonly behind: (mark: ChartMark) => { readonly bucket?: TimeBucket; readonly where: GroupWhere } | undefined;
  /** How many groups are not drawn. */
  readonly left: number;
}

/** The course of the window before, and what both are called. Where lines are split, each group has its own. */
export interface ComparedCourse {
  readonly now: string;
  readonly before: string;
  readonly points: readonly Point[] | ((group: GroupWhere) => readonly Point[]);
}

/** Of more lines nobody tells those of the window before apart. */
const maxLinesCompared = 3;

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
      return text === null ? answerTableWords.none : valueLabel(column, text);
    })
    .join(' / ');

/** People are listed by name, whatever the question was: a list of people is no ranking. */
export function inFairOrder(rows: readonly Row[], asked: Exploration): readonly Row[] {
  if (!isAboutPeople(asked)) return rows;
  const columns = groupColumns(rows, asked);
  return rows.toSorted((a, b) => groupName(a, columns).localeCompare(groupName(b, columns)));
}

/**
 * The answer as a chart; undefined where it is a text, a single number or nothing. Without `as` it is drawn as fits:
 * bars where values add up, else lines.
 */
export function drawnAnswer(
  rows: readonly Row[],
  asked: Exploration,
  buckets: readonly TimeBucket[],
  title: string,
  compared?: ComparedCourse,
  as?: DrawnAs,
): DrawnAnswer | undefined {
  if (rows.length === 0 || aboutMetric(asked.metric).kind === 'text') return undefined;
  const columns = groupColumns(rows, asked);
  if (asked.level) {
    return as === 'heat' && columns.length > 0
      ? mapOverTime(rows, asked, asked.level, buckets, columns, title)
      : overTime(rows, asked, asked.level, buckets, columns, title, compared, as);
  }
  const [down, ...across] = columns;
  if (down === undefined) return undefined;
  return as === 'heat' && across.length > 0
    ? mapOfGroups(rows, asked, [down], across, title)
    : byGroup(rows, asked, columns, title, as);
}

const pointsFor = (points: readonly Point[], canAdd: boolean) =>
  points.map(({ value, n }) => (canAdd ? { value } : { value, n }));

/** Medians and averages of parts are no parts of a whole: they are drawn beside each other, never on top. */
function kindOf(as: DrawnAs | undefined, canAdd: boolean, groups: number): CategoryChart['kind'] {
  if (as === 'line') return 'line';
  if (as === 'bar') return 'bar';
  if (!canAdd) return 'line';
  return groups > 1 || as === 'share' ? 'stacked-bar' : 'bar';
}

const lineColours = [1, 2, 3] as const satisfies readonly OwnColour[];

interface CourseOfGroup {
  readonly where: GroupWhere;
  readonly points: Point[];
}

function coursesOf(
  rows: readonly Row[],
  asked: Exploration,
  level: DateLevel,
  buckets: readonly TimeBucket[],
  nameOf: (row: Row) => string,
  columns: readonly string[],
): Map<string, CourseOfGroup> {
  const value = valueColumn(asked.metric, asked.aggregation);
  const places = new Map(buckets.map(({ name }, at) => [name, at]));
  const groups = new Map<string, CourseOfGroup>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name) ?? { where: groupWhere(row, columns), points: buckets.map(() => noPoint) };
    groups.set(name, group);
    const at = places.get(String(row[`${level}_date`]));
    if (at !== undefined) group.points[at] = pointOf(row, value);
  }
  return groups;
}

function overTime(
  rows: readonly Row[],
  asked: Exploration,
  level: DateLevel,
  buckets: readonly TimeBucket[],
  columns: readonly string[],
  title: string,
  compared: ComparedCourse | undefined,
  as: DrawnAs | undefined,
): DrawnAnswer {
  const canAdd = addsUp(asked.metric, asked.aggregation);
  const nameOf = (row: Row): string => (columns.length === 0 ? title : groupName(row, columns));
  const groups = coursesOf(rows, asked, level, buckets, nameOf, columns);
  const all: GroupSeries[] = [...groups].map(([key, { points }]) => ({ key, points }));
  const kind = kindOf(as, canAdd, groups.size);
  const drawn = chosenGroups(all, kind === 'stacked-bar' ? 'stacked-bar' : 'line');
  const isShare = as === 'share' && kind === 'stacked-bar';
  const pointsOfGroup = typeof compared?.points === 'function' ? compared.points : undefined;
  const split = pointsOfGroup && kind === 'line' && drawn.length <= maxLinesCompared ? pointsOfGroup : undefined;
  const whole = Array.isArray(compared?.points) && !isShare ? (compared.points as readonly Point[]) : undefined;
  const nameOfGroup = (key: string | null): string => key ?? answerTableWords.none;
  return {
    chart: {
      kind,
      title,
      measure: isShare ? 'percent' : measureOf(asked.metric, asked.aggregation),
      ...(isShare ? { isAddedUp: true } : {}),
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [
        ...(isShare ? sharesOf(drawn) : drawn).map(({ key, points }, at) => ({
          name: compared && !pointsOfGroup ? compared.now : nameOfGroup(key),
          points: pointsFor(points, canAdd),
          ...(split ? { colour: lineColours[at] ?? 1 } : {}),
          ...(key === othersKey && !groups.has(othersKey) ? { role: 'others' as const } : {}),
        })),
        ...(compared && whole
          ? [{ name: compared.before, role: 'before' as const, points: pointsFor(whole, canAdd) }]
          : []),
        ...(compared && split
          ? drawn.map(({ key }, at) => ({
              name: answerTableWords.groupBefore(nameOfGroup(key), compared.before),
              role: 'before' as const,
              colour: lineColours[at] ?? 1,
              points: pointsFor(split(groups.get(key ?? '')?.where ?? {}), canAdd),
            }))
          : []),
      ],
    },
    behind: ({ series, category }) => {
      const [bucket, group] = [buckets[category], drawn[series]];
      const key = group?.key;
      return bucket && group && { bucket, where: groups.get(key ?? '')?.where ?? {} };
    },
    left: kind === 'stacked-bar' ? 0 : Math.max(0, all.length - drawn.length),
  };
}

/** Each group as its share of what all of them add up to in the same period. */
function sharesOf(groups: readonly GroupSeries[]): readonly GroupSeries[] {
  const totals = (groups[0]?.points ?? []).map((_, at) =>
    groups.reduce((sum, { points }) => sum + (points[at]?.value ?? 0), 0),
  );
  return groups.map(({ key, points }) => ({
    key,
    points: points.map(({ value }, at) => {
      const total = totals[at] ?? 0;
      return { value: total === 0 ? null : (value ?? 0) / total, n: null };
    }),
  }));
}

/** A map with more rows or columns than these is unreadable. */
const [maxMapRows, maxMapColumns] = [20, 60];

function mapOverTime(
  rows: readonly Row[],
  asked: Exploration,
  level: DateLevel,
  buckets: readonly TimeBucket[],
  columns: readonly string[],
  title: string,
): DrawnAnswer {
  const groups = [...coursesOf(rows, asked, level, buckets, (row) => groupName(row, columns), columns)];
  const shown = largestByName(groups, ([, { points }]) => points);
  const canAdd = addsUp(asked.metric, asked.aggregation);
  return {
    chart: {
      kind: 'heat-map',
      title,
      measure: measureOf(asked.metric, asked.aggregation),
      columns: buckets.map((bucket) => bucketCategory(bucket, level)),
      rows: shown.map(([label]) => ({ label })),
      cells: shown.map(([, { points }]) => pointsFor(points, canAdd)),
    },
    behind: ({ series, category }) => {
      const [bucket, group] = [buckets[category], shown[series]];
      return bucket && group && { bucket, where: group[1].where };
    },
    left: groups.length - shown.length,
  };
}

/** Two columns against each other: the first downwards, the others across. */
function mapOfGroups(
  rows: readonly Row[],
  asked: Exploration,
  down: readonly string[],
  across: readonly string[],
  title: string,
): DrawnAnswer {
  const value = valueColumn(asked.metric, asked.aggregation);
  const canAdd = addsUp(asked.metric, asked.aggregation);
  const byNumber = new Intl.Collator(undefined, { numeric: true }).compare;
  const columns = [...new Set(rows.map((row) => groupName(row, across)))].toSorted(byNumber).slice(0, maxMapColumns);
  const groups = new Map<string, (Row | undefined)[]>();
  for (const row of rows) {
    const name = groupName(row, down);
    const cells = groups.get(name) ?? columns.map(() => undefined);
    groups.set(name, cells);
    const at = columns.indexOf(groupName(row, across));
    if (at >= 0) cells[at] = row;
  }
  const pointsIn = (cells: readonly (Row | undefined)[]): Point[] => cells.map((row) => pointOf(row, value));
  const shown = largestByName([...groups], ([, cells]) => pointsIn(cells));
  return {
    chart: {
      kind: 'heat-map',
      title,
      measure: measureOf(asked.metric, asked.aggregation),
      columns: columns.map((label) => ({ label })),
      rows: shown.map(([label]) => ({ label })),
      cells: shown.map(([, cells]) => pointsFor(pointsIn(cells), canAdd)),
    },
    behind: ({ series, category }) => {
      const row = shown[series]?.[1][category];
      return row && { where: groupWhere(row, [...down, ...across]) };
    },
    left: groups.size - shown.length,
  };
}

/** The groups with the most behind them, by name: a list of people is no ranking. */
function largestByName<G>(
  groups: readonly (readonly [string, G])[],
  pointsOf: (group: readonly [string, G]) => readonly Point[],
): readonly (readonly [string, G])[] {
  const size = (group: readonly [string, G]): number =>
    pointsOf(group).reduce((sum, { n, value }) => sum + (n ?? value ?? 0), 0);
  return groups
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, maxMapRows)
    .toSorted(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }));
}

/** Largest first; people by name. */
function byGroup(
  rows: readonly Row[],
  asked: Exploration,
  columns: readonly string[],
  title: string,
  as: DrawnAs | undefined,
): DrawnAnswer {
  const canAdd = addsUp(asked.metric, asked.aggregation);
  const value = valueColumn(asked.metric, asked.aggregation);
  const isSorted = isAboutPeople(asked) || asked.orderBy !== undefined || columns.includes('review_hour_of_day');
  const ordered = isSorted
    ? inFairOrder(rows, asked)
    : rows.toSorted((a, b) => (numberIn(b, value) ?? 0) - (numberIn(a, value) ?? 0));
  const drawn = ordered.slice(0, maxBars);
  const points = drawn.map((row) => pointOf(row, value));
  const isShare = as === 'share' && canAdd;
  const total = rows.reduce((sum, row) => sum + (numberIn(row, value) ?? 0), 0);
  const shares = points.map((point) => ({ value: total === 0 ? null : (point.value ?? 0) / total, n: null }));
  return {
    chart: {
      kind: 'bar',
      isHorizontal: true,
      title,
      measure: isShare ? 'percent' : measureOf(asked.metric, asked.aggregation),
      ...(isShare ? { isAddedUp: true } : {}),
      categories: drawn.map((row) => ({ label: groupName(row, columns) })),
      series: [{ name: title, points: pointsFor(isShare ? shares : points, canAdd) }],
    },
    behind: ({ category }) => {
      const row = drawn[category];
      return row && { where: groupWhere(row, columns) };
    },
    left: rows.length - drawn.length,
  };
}
