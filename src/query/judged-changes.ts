import { daysBetween, nextDay, secondsPerDay, type TimeZone } from '../calendar.ts';
import { judgedFormOf } from '../catalogue/judged-form.ts';
import { answerColumns } from './answer-columns.ts';
import {
  type Coverage,
  columnsOfEnds,
  countRange,
  coverageFor,
  type LikelyRange,
  placeOfEnds,
  questionOfEnds,
  rateRange,
} from './likely-range.ts';
import type { AnswerRow, Cell, Query } from './plan.ts';
import {
  alignedBuckets,
  type ComparedRow,
  comparePeriods,
  isMeasured,
  periodsBefore,
  type RowsBefore,
} from './previous-period.ts';
import type { Extent } from './question-port.ts';
import { comparedWith, type MetricRequest, type RequestedMetric, windowOf } from './request.ts';
import { type Bucket, isWholeDays, type Window } from './request-window.ts';
import type { JudgeRow } from './shape/results.ts';
import { judge } from './verdict.ts';

/** The windows of a change, as far as they decide whether it may be judged. */
interface JudgedWindows {
  readonly days: number;
  readonly previousDays: number;
  readonly isComplete: boolean;
  readonly isPreviousComplete: boolean;
  /** Whether the history reaches back over all of the earlier window. */
  readonly hasHistory: boolean;
}

/** The extent of complete data. */
type Reach = Pick<Extent, 'since' | 'through'>;
export type ReachOf = (asked: RequestedMetric) => Reach;
const unknown: Reach = { since: undefined, through: undefined };

/** After so long nothing more is expected to arrive, however long ago the last record was. */
const settledAfterDays = 3;

/** How far the data of each metric reach, and what an answer is kept under that depends on it. */
interface RequestedReach {
  readonly of: ReachOf;
  readonly key: readonly unknown[];
}

/** For a request that judges changes. */
export async function reachOfMetrics(
  { metrics, zone }: Pick<MetricRequest, 'metrics' | 'zone'>,
  now: Date,
  extentOf: (asked: RequestedMetric) => Promise<Reach | undefined>,
): Promise<RequestedReach> {
  const found = new Map<RequestedMetric, Reach>();
  for (const asked of metrics) found.set(asked, settled((await extentOf(asked)) ?? unknown, zone, now));
  const key = [...found.values()].map(({ since, through }) => [since ?? null, through ?? null]);
  return { of: (asked) => found.get(asked) ?? unknown, key };
}

/**
 * The windows that are complete now. Where nothing arrives they change by the day only, so that answers can be kept.
 */
function settled({ since, through }: Reach, zone: TimeZone, now: Date): Reach {
  const seconds = now.getTime() / 1_000;
  const longAgo = zone.startOf(zone.dayAt(seconds - settledAfterDays * secondsPerDay));
  return { since, through: through === undefined ? undefined : Math.min(Math.max(through, longAgo), seconds) };
}

/** Whether a window is over, and the data reach to its end or nothing more is expected. */
export function isCompleteAt({ until }: Window, through: number | undefined, now: Date): boolean {
  const over = now.getTime() / 1_000 - until;
  return over >= 0 && ((through !== undefined && until <= through) || over > settledAfterDays * secondsPerDay);
}

/** The two windows of a metric by bucket; null is the bucket of a question without buckets. Undefined without a counterpart. */
function judgedWindows(
  asked: RequestedMetric,
  request: Pick<MetricRequest, 'window' | 'chosenBefore' | 'zone' | 'level'>,
  { since, through }: Reach,
): (bucket: Cell) => JudgedWindows | undefined {
  const { zone, level } = request;
  const window = windowOf(asked, request);
  if (!window) return () => undefined;
  const before = comparedWith(window, request);
  const pairs: [Cell, Window, Window | undefined][] = level
    ? alignedBuckets(window, before, level).map(({ bucket, previous }) => [
        bucket.name,
        within(window, bucket, zone),
        previous && within(before, previous, zone),
      ])
    : [[null, window, before]];
  const isComplete = ({ until }: Window) => through !== undefined && until <= through;
  const known = new Map(
    pairs.flatMap(([name, current, previous]): [Cell, JudgedWindows][] => {
      if (!previous) return [];
      const judged = {
        days: lengthOf(current, zone),
        previousDays: lengthOf(previous, zone),
        isComplete: isComplete(current),
        isPreviousComplete: isComplete(previous),
        hasHistory: since !== undefined && since <= previous.from,
      };
      return [[name, judged]];
    }),
  );
  return (bucket) => known.get(level ? bucket : null);
}

/** The part of a bucket inside a window between instants. */
export function within(window: Window, { firstDay, lastDay }: Bucket, zone: TimeZone): Window {
  const from = Math.max(window.from, zone.startOf(firstDay));
  return { firstDay, lastDay, from, until: Math.min(window.until, zone.startOf(nextDay(lastDay))) };
}

/** Days of the calendar, of which one in a year has 23 hours; of a window between instants parts of them. */
const lengthOf = (window: Window, zone: TimeZone): number =>
  isWholeDays(window, zone)
    ? daysBetween(window.firstDay, window.lastDay) + 1
    : (window.until - window.from) / secondsPerDay;

/** Where the rows of a change come from: the question now, the question about a period before, and the rows of either. */
interface JudgedSource {
  readonly query: Query;
  readonly queryOf: (period: MetricRequest) => Query;
  readonly rows: (query: Query) => Promise<AnswerRow[]>;
  readonly reachOf: ReachOf;
}

/** Judges the change of each value. Statements of their own ask for the ends of the ranges of percentiles. */
export async function judgeRows(
  request: MetricRequest,
  rows: readonly ComparedRow[],
  source: JudgedSource,
): Promise<JudgeRow> {
  const measured = answerColumns(request).filter(isMeasured);
  const judges = request.metrics.flatMap((asked) => {
    const windowsOf = judgedWindows(asked, request, source.reachOf(asked));
    return asked.values.map((value, i) => ({
      asked,
      windowsOf,
      form: judgedFormOf(asked.metric, asked.aggregation, i),
      at: measured.findIndex((column) => column.role === 'value' && column.value === value),
      nAt: measured.findIndex((column) => column.role === 'n' && column.value === value),
      leadingAt: measured.findIndex((column) => column.role === 'value' && column.value === asked.values.at(-1)),
    }));
  });
  const percentiles = judges.filter(({ form }) => form?.kind === 'percentile');
  const endsAt = await rangeEnds(
    request,
    [...new Set(percentiles.map(({ asked }) => asked))],
    rows.flatMap(({ values, previous }) => percentiles.flatMap(({ nAt }) => [values[nAt], previous[nAt]])),
    source,
  );

  return (row, at) => {
    const one = judges.find((each) => each.at === at);
    if (!one) throw new Error('a value is of a metric');
    const { asked, windowsOf, nAt } = one;
    const windows = windowsOf(row.key[0] ?? null);
    const [n, previousN] = [numberIn(row.values[nAt]) ?? 0, windows ? (numberIn(row.previous[nAt]) ?? 0) : null];
    const form = isTooSmall(asked, row.values[one.leadingAt]) ? undefined : one.form;
    const coverage = coverageFor(n, previousN ?? n);
    const place = percentiles.indexOf(one);
    const rangeOf = (value: number | null, of: number | null, isPrevious: boolean): LikelyRange | null => {
      if (!form || of === null) return null;
      if (form.kind === 'percentile') return endsAt(row, place, coverage, isPrevious);
      if (value === null) return [null, null];
      return form.kind === 'count' ? countRange(value, coverage) : rateRange(value, of, coverage);
    };
    const [value, previous] = [numberIn(row.values[at]), numberIn(row.previous[at])];
    const current = { value, n, range: rangeOf(value, n, false) };
    const earlier = { value: previous, n: previousN, range: rangeOf(previous, previousN, true) };
    const { verdict, isBetter } = judge({
      form,
      current: { ...current, days: windows?.days ?? 0, isComplete: windows?.isComplete ?? false },
      previous: { ...earlier, days: windows?.previousDays ?? 0, isComplete: windows?.isPreviousComplete ?? false },
      hasHistory: windows?.hasHistory ?? false,
      better: asked.metric.better,
    });
    const [range, previousRange] = [current.range, earlier.range];
    return { n, previous_n: previousN, range, previous_range: previousRange, verdict, is_better: isBetter };
  };
}

/** A value under its minimum is left out of the answer, which is no change of it. */
const isTooSmall = ({ minimumValue }: RequestedMetric, leading: Cell | undefined): boolean =>
  minimumValue > 0 && !(typeof leading === 'number' && leading >= minimumValue);

const numberIn = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null);

type EndsAt = (row: ComparedRow, value: number, coverage: Coverage, isPrevious: boolean) => LikelyRange;

/** The ends of the ranges of percentiles, group by group as the values themselves. */
async function rangeEnds(
  request: MetricRequest,
  metrics: readonly RequestedMetric[],
  cells: readonly (Cell | undefined)[],
  { query, queryOf, rows }: JudgedSource,
): Promise<EndsAt> {
  const counts = [...new Set(cells.flatMap((cell) => numberIn(cell) ?? []))].sort((a, b) => a - b);
  const asked: MetricRequest = { ...request, metrics, order: undefined, isMultiple: true };
  const rowsOf = async (about: Query): Promise<AnswerRow[]> => {
    const question = questionOfEnds(about, counts);
    return question ? rows(question) : [];
  };
  const now = await rowsOf(query);
  const before: RowsBefore[] = [];
  for (const period of periodsBefore(asked)) before.push({ period, rows: await rowsOf(queryOf(period)) });
  const keys = answerColumns(request).filter((column) => !isMeasured(column));
  const { rows: found } = comparePeriods(asked, [...keys, ...columnsOfEnds(metrics)], now, before);
  const byKey = new Map(found.map((row) => [JSON.stringify(row.key), row]));
  return (row, value, coverage, isPrevious) => {
    const ends = byKey.get(JSON.stringify(row.key));
    const [low, high] = placeOfEnds(value, coverage);
    const cellsOf = isPrevious ? ends?.previous : ends?.values;
    return [numberIn(cellsOf?.[low]), numberIn(cellsOf?.[high])];
  };
}
