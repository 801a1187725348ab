import type { DateLevel, TimeZone } from '../calendar.ts';
import { type Metric, valueColumnsOf } from '../catalogue/metric.ts';
import type { Aggregation } from '../expression/expression.ts';
import type { CategoryChart, OwnColour } from './chart-description.ts';
import { drawnWords } from './drawn-words.ts';
import { addsUp, measureOf } from './measure.ts';
import { bucketCategory, type DayReach, timeBuckets } from './time-buckets.ts';

/** The answer to a question about one metric in chart form, with how many rows each value has. */
export interface ChartAnswer {
  readonly series: readonly {
    readonly name: string;
    readonly data: readonly (number | null)[];
    readonly n?: readonly (number | null)[];
  }[];
  readonly meta: { readonly date_range?: { readonly start_date: string; readonly end_date: string } };
}

export interface ChartQuestion {
  readonly metric: Metric;
  readonly aggregation: Aggregation | undefined;
  readonly level: DateLevel;
  /** The organisation's time zone. */
  readonly zone: TimeZone;
  /** The day it is for the organisation. */
  readonly today: string;
  /** How far the data of the metric reach. */
  readonly reach: DayReach;
  /** Whether the answer has only the leading one of several values. */
  readonly isLeading?: boolean;
}

/** The chart that pages would show of the answer: bars where values add up, else lines; of many groups the largest. */
export function metricChart({ series, meta }: ChartAnswer, question: ChartQuestion): CategoryChart {
  const { metric, aggregation, level, reach, isLeading = false } = question;
  const aggregated = aggregation?.toUpperCase();
  const canAdd = addsUp(metric, aggregated);
  const window = daysOf(meta, question);
  const buckets = timeBuckets(window, level, reach);
  const shown = isLeading ? series : leading(series, valueColumnsOf(metric, aggregation));
  const groups = shown.map(({ name, data, n }) => ({
    key: name,
    // After the end of the data, a missing row is no count of zero.
    points: data.map((value, at) => ({ value: buckets[at]?.isAhead ? value || null : value, n: n?.[at] ?? null })),
  }));
  const kind = canAdd ? (groups.length > 1 ? 'stacked-bar' : 'bar') : 'line';
  const drawn = chosenGroups(groups, kind === 'stacked-bar' ? 'stacked-bar' : 'line');
  const left = groups.length - drawn.length;
  const isEmpty = groups.every(({ points }) => points.every(({ value }) => value === null));
  const isAhead = buckets.length > 0 && buckets.every((bucket) => bucket.isAhead);
  const note = isEmpty
    ? isAhead
      ? drawnWords.noDataYet
      : drawnWords.noValues
    : kind === 'line' && left > 0
      ? drawnWords.notShown(left)
      : undefined;
  const asked = [aggregated, drawnWords.perLevel(level), `${window.start} – ${window.end}`];
  return {
    kind,
    title: metric.label,
    subtitle: [...asked, note].filter(Boolean).join(', '),
    measure: measureOf(metric, aggregated),
    categories: buckets.map((bucket) => bucketCategory(bucket, level)),
    series: drawn.map(({ key, points }) => ({
      name: writable(key === metric.title ? metric.label : (key ?? '')),
      points: points.map(({ value, n }) => (canAdd ? { value } : { value, n })),
      ...(key === othersKey && !groups.some((group) => group.key === othersKey) ? { role: 'others' as const } : {}),
    })),
  };
}

/** The days that an answer is of, also where it names seconds. */
export function daysOf(
  { date_range }: ChartAnswer['meta'],
  { zone, today }: Pick<ChartQuestion, 'zone' | 'today'>,
): { readonly start: string; readonly end: string } {
  const day = (moment = today) => (moment.includes('T') ? zone.dayAt(Date.parse(moment) / 1_000) : moment);
  return { start: day(date_range?.start_date), end: day(date_range?.end_date) };
}

/** Of a metric with several values, a series for each stands beside the others: the last one leads. */
function leading(all: ChartAnswer['series'], values: ReturnType<typeof valueColumnsOf>): ChartAnswer['series'] {
  const part = values.at(-1)?.part;
  return all
    .filter((_, at) => at % values.length === values.length - 1)
    .map((one) => ({ ...one, name: part === undefined ? one.name : one.name.replace(`/${part}`, '') }));
}

/** Names come from records. Control characters and halves of characters would make the picture unreadable XML. */
const writable = (name: string): string => name.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');

/** A value, and how many rows have it. Both null where there is nothing. */
interface GroupPoint {
  readonly value: number | null;
  readonly n: number | null;
}

/** The rows of a group: its value of the column, and a point for every bucket. */
export interface GroupSeries {
  readonly key: string | null;
  readonly points: readonly GroupPoint[];
}

/** A group that means the same on all pages. */
export interface KnownGroup {
  readonly key: string;
  readonly colour?: OwnColour;
}

export const othersKey = 'others';

/** Known groups in their own order, then the rest by size. Lines of others are left out: only what adds up can be added. */
export function chosenGroups(
  groups: readonly GroupSeries[],
  kind: 'line' | 'stacked-bar',
  known: readonly KnownGroup[] = [],
): readonly GroupSeries[] {
  const place = ({ key }: GroupSeries): number => {
    const at = known.findIndex((one) => one.key === key);
    return at === -1 ? known.length : at;
  };
  const withValues = groups.filter(({ points }) => points.some(({ value }) => value !== null));
  if (kind === 'stacked-bar') return largestAndOthers(withValues).toSorted((a, b) => place(a) - place(b));
  const size = ({ points }: GroupSeries): number => points.reduce((sum, { n, value }) => sum + (n ?? value ?? 0), 0);
  return withValues
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, 6)
    .toSorted((a, b) => place(a) - place(b));
}

/** People cannot tell more lines apart: the largest five are drawn, and the others added up. */
function largestAndOthers(groups: readonly GroupSeries[], most = 6): readonly GroupSeries[] {
  if (groups.length <= most) return groups;
  const size = ({ points }: GroupSeries): number => points.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const bySize = groups.toSorted((a, b) => size(b) - size(a));
  const rest = bySize.slice(most - 1);
  const added = (bySize[0]?.points ?? []).map((_, at) => ({
    value: rest.reduce((sum, { points }) => sum + (points[at]?.value ?? 0), 0),
    n: rest.reduce((sum, { points }) => sum + (points[at]?.n ?? 0), 0),
  }));
  return [...bySize.slice(0, most - 1), { key: 'others', points: added }];
}
