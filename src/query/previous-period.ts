import type { DateLevel, TimeZone } from '../calendar.ts';
import { dateDetails } from '../catalogue/metrics/all-metrics.ts';
import { sharedFields } from '../catalogue/request-fields.ts';
import type { AnswerRow, Cell, OrderBy } from './plan.ts';
import { type Body, fieldsOf, refuse } from './reading/body.ts';
import { type AnswerColumn, comparedWith, type MetricRequest, type RequestedMetric, windowOf } from './request.ts';
import { type Bucket, bucketsOf, isWholeDays, type Window, windowBetween } from './request-window.ts';
import { compareCellLists, compareCells } from './shape/cell.ts';

/** A group of the answer with what it was in the period before. */
export interface ComparedRow {
  /** The bucket and the group columns, as the engine gave them. */
  readonly key: readonly Cell[];
  /** One entry for each value column, and for each n. */
  readonly values: readonly Cell[];
  readonly previous: readonly Cell[];
}

interface Comparison {
  readonly rows: readonly ComparedRow[];
  /** How many there are, before the limit cut them. */
  readonly total: number;
}

/** The rows of the period before, for the metrics that share it. */
export interface RowsBefore {
  readonly period: Pick<MetricRequest, 'metrics' | 'window'>;
  /** The bucket and the group columns, and the values of these metrics. */
  readonly rows: readonly AnswerRow[];
}

type ComparedRequest = Pick<MetricRequest, 'metrics' | 'isMultiple' | 'window' | 'level' | 'order' | 'limit'>;
type MeasuredColumn = AnswerColumn & { readonly role: 'value' | 'n' | 'rank' };

/** Whether a column tells of a group, rather than which group it is. */
export const isMeasured = (column: AnswerColumn): column is MeasuredColumn =>
  column.role === 'value' || column.role === 'n' || column.role === 'rank';

/**
 * The same question about the window before. Of a window between instants there are two: as many seconds before it, and
 * for metrics that know only days as many days or months, none of which is in the window as well.
 */
export function periodsBefore<R extends Pick<MetricRequest, 'metrics' | 'window' | 'chosenBefore' | 'zone'>>(
  request: R,
): R[] {
  const periods = new Map<string, R & { readonly metrics: RequestedMetric[] }>();
  for (const one of request.metrics) {
    const window = windowOf(one, request);
    const before = window && comparedWith(window, request);
    const key = JSON.stringify(before ?? null);
    const period = periods.get(key) ?? { ...request, window: before, metrics: [] };
    period.metrics.push(one);
    periods.set(key, period);
  }
  return [...periods.values()];
}

/**
 * Puts the rows of a window beside those of the window before: by group, and buckets by their position. A bucket of the
 * window before without a counterpart falls away; a bucket of the window without one has no previous value, not even 0.
 * Both come whole and in any order; the previous ones without a minimum value, since that is said of the current period
 * only.
 */
export function comparePeriods(
  asked: ComparedRequest,
  columns: readonly AnswerColumn[],
  current: readonly AnswerRow[],
  previous: readonly RowsBefore[],
): Comparison {
  const values = columns.filter(isMeasured);
  const keyLength = columns.length - values.length;
  const ofNothing = values.map((column) =>
    column.role === 'n' ? 0 : column.role === 'rank' ? null : column.value.ofNothing,
  );
  const valuesOf = (row: AnswerRow): Cell[] => ofNothing.map((none, i) => row[keyLength + i] ?? none);

  const before = new Map<string, { readonly key: readonly Cell[]; readonly values: Cell[] }>();
  const periods = previous.map(({ period, rows: found }) => ({
    rows: found,
    places: values.flatMap(({ metric }, place) => (period.metrics.some((one) => one.metric === metric) ? place : [])),
    pairs: asked.level && bucketPairs(asked.window, period.window, asked.level),
  }));
  /**
   * The previous value of a group in which nothing happened before: none at all where there is no bucket to compare
   * with.
   */
  const nothingBefore = (key: readonly Cell[]): Cell[] => {
    const nothing: Cell[] = [...ofNothing];
    for (const { pairs, places } of periods) {
      if (pairs && !pairs.compared.has(key[0] ?? null)) for (const place of places) nothing[place] = null;
    }
    return nothing;
  };
  for (const { rows: found, places, pairs } of periods) {
    for (const row of found) {
      const bucket = pairs?.currentName.get(row[0] ?? null);
      if (pairs && bucket === undefined) continue;
      const key = bucket === undefined ? row.slice(0, keyLength) : [bucket, ...row.slice(1, keyLength)];
      const text = JSON.stringify(key);
      const { values: were } = before.get(text) ?? { values: nothingBefore(key) };
      for (const [i, place] of places.entries()) were[place] = row[keyLength + i] ?? ofNothing[place] ?? null;
      before.set(text, { key, values: were });
    }
  }

  const rows: ComparedRow[] = current.map((row) => {
    const key = row.slice(0, keyLength);
    const text = JSON.stringify(key);
    const found = before.get(text);
    before.delete(text);
    return { key, values: valuesOf(row), previous: found?.values ?? nothingBefore(key) };
  });
  if (isNothingEnough(asked.metrics)) {
    for (const { key, values: were } of before.values()) rows.push({ key, values: ofNothing, previous: were });
  }

  rows.sort(rowOrder(columns, asked.order));
  return { rows: asked.isMultiple ? rows : rows.slice(0, asked.limit), total: rows.length };
}

/** Whether a group in which nothing happened passes the minimum value of any metric, as 0 or as no value at all. */
const isNothingEnough = (metrics: readonly RequestedMetric[]): boolean =>
  metrics.some(({ minimumValue }) => minimumValue <= 0);

interface BucketPairs {
  /**
   * The bucket in the window that a bucket of the window before is compared with. Buckets without a counterpart are not
   * there.
   */
  readonly currentName: ReadonlyMap<Cell, string>;
  /** The buckets of the window that have one to compare with. */
  readonly compared: ReadonlySet<Cell>;
}

function bucketPairs(window: Window | undefined, before: Window | undefined, level: DateLevel): BucketPairs {
  const currentName = new Map<Cell, string>();
  if (window && before) {
    for (const { bucket, previous } of alignedBuckets(window, before, level)) {
      if (previous) currentName.set(previous.name, bucket.name);
    }
  }
  return { currentName, compared: new Set(currentName.values()) };
}

/** The buckets of a window, each with the one at the same position of the window before, the first with the first. */
export function alignedBuckets(
  window: Window,
  before: Window,
  level: DateLevel,
): { readonly bucket: Bucket; readonly previous: Bucket | undefined }[] {
  const earlier = bucketsOf(before, level);
  return bucketsOf(window, level).map((bucket, i) => ({ bucket, previous: earlier[i] }));
}

/** The change in percent, with one decimal. Null where the previous value is 0 or missing, and for texts. */
export function changePercentage(value: Cell, previous: Cell): number | null {
  if (typeof value !== 'number' || typeof previous !== 'number' || previous === 0) return null;
  const tenths = ((value - previous) * 1_000) / Math.abs(previous);
  if (!Number.isFinite(tenths)) return null;
  // Halves go away from zero, so that a rise and an equal fall read the same.
  return (Math.sign(tenths) * Math.round(Math.abs(tenths))) / 10 || 0;
}

/** Names that only a comparison has to be sorted by. They go by the column that leads, which is the last value. */
const comparedNames: Readonly<Record<string, (row: ComparedRow, leading: number) => Cell>> = {
  value: ({ values }, leading) => values[leading] ?? null,
  previous_value: ({ previous }, leading) => previous[leading] ?? null,
  change_percentage: ({ values, previous }, leading) =>
    changePercentage(values[leading] ?? null, previous[leading] ?? null),
};
export const comparedOrderNames: readonly string[] = Object.keys(comparedNames);

function rowOrder(columns: readonly AnswerColumn[], order: OrderBy | undefined) {
  const read = order && sortedBy(columns, order.column);
  return (a: ComparedRow, b: ComparedRow): number =>
    (read ? compareCells(read(a), read(b), order?.direction) : 0) || compareCellLists(a.key, b.key);
}

function sortedBy(columns: readonly AnswerColumn[], name: string): ((row: ComparedRow) => Cell) | undefined {
  // A metric and a column of its table can share a name; then both hold the same, and the metric is what is shown.
  const at = columns.findLastIndex((column) => column.name === name);
  if (at === -1) {
    const read = Object.hasOwn(comparedNames, name) ? comparedNames[name] : undefined;
    const leading = columns.filter(isMeasured).findLastIndex(({ role }) => role === 'value');
    return read && ((row) => read(row, leading));
  }
  const keyLength = columns.filter((column) => !isMeasured(column)).length;
  return ({ key, values }) => (at < keyLength ? key[at] : values[at - keyLength]) ?? null;
}

const fieldNames = { start: 'previous_start_date', end: 'previous_end_date' };

/** The window that a caller chose to compare with. Undefined where the one before is meant. */
export function readComparedWindow(
  body: Body,
  { isCompared, zone, now }: { readonly isCompared: boolean; readonly zone: TimeZone; readonly now: Date },
): Window | undefined {
  const field = fieldsOf(sharedFields, body);
  const [start, end] = [field('previous_start_date'), field('previous_end_date')];
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined || end === undefined)
    throw refuse('previous_start_date and previous_end_date go together: the first and the last day to compare with.');
  if (!isCompared)
    throw refuse(
      'previous_start_date chooses what to compare with: set include_previous_period to true, or leave it out.',
    );
  const window = windowBetween({ start, end }, zone, now, fieldNames);
  if (isWholeDays(window, zone)) return window;
  throw refuse('previous_start_date and previous_end_date are days, such as 2024-01-31, and no timestamps.');
}

/** The refusal where a change cannot be judged, since nothing is compared with the period before. */
export const noVerdict = {
  periods: () => refuse(`${dateDetails} has no values whose change could be judged. Leave out verdict.`),
  benchmark: () =>
    refuse(
      'A benchmark compares with other organisations, not with the period before. Leave out verdict, or ask the metric itself with include_previous_period.',
    ),
  explanation: () =>
    refuse(
      'An explanation tells how one number is computed and judges no change. Leave out verdict, or ask the metric without /explain.',
    ),
} as const;
