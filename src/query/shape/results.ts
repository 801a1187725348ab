import { isoText } from '../../calendar.ts';
import type { Unit } from '../../catalogue/metric.ts';
import type { Json } from '../../catalogue/record.ts';
import type { UnmatchedFilters } from '../empty-answer.ts';
import type { LikelyRange } from '../likely-range.ts';
import type { Cell } from '../plan.ts';
import { type ComparedRow, changePercentage, isMeasured } from '../previous-period.ts';
import type { Extent } from '../question-port.ts';
import { type AnswerColumn, comparedWith, type MetricRequest, namedWindow } from '../request.ts';
import { type DateRange, dateRangeOf } from '../request-window.ts';
import type { Verdict } from '../verdict.ts';
import { cellReader } from './cell.ts';

/** The value of one metric for one group. */
export interface Result {
  readonly metric_name: string;
  readonly value: Cell;
  /** How many rows have the value, where that is asked for. */
  readonly n?: Cell;
  /** The bucket first, where there is one. */
  readonly group_by: Readonly<Record<string, Json>>;
  readonly unit?: Unit;
  readonly previous_value: Cell;
  readonly change_percentage: number | null;
}

/** A result with what may be said of its change. */
export interface JudgedFields {
  readonly n: number | null;
  readonly previous_n: number | null;
  /** From where to where chance alone moves the value, each end null where there is none. */
  readonly range: LikelyRange | null;
  readonly previous_range: LikelyRange | null;
  readonly verdict: Verdict | null;
  readonly is_better: boolean | null;
}

/** The verdict about a value of a row, by the place of its column among those that are measured. */
export type JudgeRow = (row: ComparedRow, at: number) => JudgedFields;

export interface ResultsAnswer {
  readonly results: readonly Result[];
  readonly meta: Meta;
}

type ResultsRequest = Pick<MetricRequest, 'metrics' | 'filters' | 'window' | 'chosenBefore' | 'zone'>;

/** Groups with what they were in the period before. */
export function comparedResults(
  asked: ResultsRequest,
  columns: readonly AnswerColumn[],
  rows: readonly ComparedRow[],
  notes: MetaNotes = {},
  judged?: JudgeRow,
): ResultsAnswer {
  const results = resultMaker(columns, judged);
  return { results: rows.flatMap(results), meta: metaOf(asked, { withPrevious: true, ...notes }) };
}

/** A metric with several values gives a result for each, and several metrics share their group. */
function resultMaker(columns: readonly AnswerColumn[], judged: JudgeRow | undefined) {
  const keys = columns.flatMap((column) =>
    isMeasured(column) ? [] : { name: column.name, read: cellReader(column.type) },
  );
  const measured = columns.filter(isMeasured);
  const values = measured.flatMap((column, at) => {
    if (column.role !== 'value') return [];
    const nAt = measured.findIndex(({ role, metric }) => role === 'n' && metric === column.metric);
    return { ...column, at, nAt: judged ? -1 : nAt };
  });
  return (row: ComparedRow): Result[] => {
    const group: Record<string, Json> = {};
    for (const [i, { name, read }] of keys.entries()) group[name] = read(row.key[i] ?? null);
    return values.map(({ metric, value: { metricName, ofNothing }, at, nAt }) => {
      const value = row.values[at] ?? ofNothing;
      const previous = row.previous[at] ?? null;
      return {
        metric_name: metricName,
        value,
        ...(nAt === -1 ? {} : { n: row.values[nAt] ?? 0 }),
        group_by: group,
        ...(metric.unit && { unit: metric.unit }),
        previous_value: previous,
        change_percentage: changePercentage(value, previous),
        ...judged?.(row, at),
      };
    });
  };
}

/** The facts in an answer about its question. */
export interface Meta {
  /** As the caller wrote them. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Absent where time makes no sense. */
  readonly date_range?: DateRange;
  readonly previous_date_range?: DateRange;
  /** Values that match nothing, as they were sent. */
  readonly unmatched_filters?: UnmatchedFilters;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number;
  /** The moment up to which the rows are complete. Absent where there are none. */
  readonly data_through?: string;
  /** Streams of sources that do not count for it. */
  readonly data_missing?: readonly string[];
}

type MetaRequest = Pick<MetricRequest, 'metrics' | 'filters' | 'window' | 'chosenBefore' | 'zone'>;

/** The facts in an answer about what is not in it. */
export interface MetaNotes {
  readonly unmatched?: UnmatchedFilters | undefined;
  readonly suppressed?: number | undefined;
  readonly extent?: Extent | undefined;
}

interface MetaOptions extends MetaNotes {
  readonly withPrevious: boolean;
}

export function metaOf(asked: MetaRequest, { withPrevious, unmatched, suppressed, extent }: MetaOptions): Meta {
  const { filters, zone } = asked;
  const window = namedWindow(asked);
  return {
    filters: filters.written,
    ...(window && { date_range: dateRangeOf(window, zone) }),
    ...(window && withPrevious && { previous_date_range: dateRangeOf(comparedWith(window, asked), zone) }),
    ...(unmatched && { unmatched_filters: unmatched }),
    ...(suppressed !== undefined && { suppressed }),
    ...dataMeta(extent),
  };
}

/** The facts in an answer about the data that it is made of. */
export const dataMeta = (extent: Extent | undefined): Pick<Meta, 'data_through' | 'data_missing'> => ({
  ...(extent?.through !== undefined && { data_through: isoText(extent.through) }),
  ...(extent && extent.missing.length > 0 && { data_missing: extent.missing }),
});
