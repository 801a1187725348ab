import type { Unit } from '../../catalogue/metric.ts';
import type { Json } from '../../catalogue/record.ts';
import type { LikelyRange } from '../likely-range.ts';
import type { Cell } from '../plan.ts';
import { type ComparedRow, changePercentage, isMeasured } from '../previous-period.ts';
import type { AnswerColumn, MetricRequest } from '../request.ts';
import type { Verdict } from '../verdict.ts';
import { cellReader } from './cell.ts';
import { type Meta, type MetaNotes, metaOf } from './meta.ts';

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

/** What may be said of a value of a row, by the place of its column among those that are measured. */
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
