import type { Verdict } from '../query/verdict.ts';

/** A row of an answer, as JSON has it. */
export type ResultRow = Readonly<Record<string, ResultValue>>;
type ResultValue = string | number | boolean | null | readonly ResultValue[] | { readonly [name: string]: ResultValue };

/** A value with the number of rows that have it. Both are null where nothing is known: a bare zero would be wrong. */
export interface MeasuredValue {
  readonly value: number | null;
  readonly n: number | null;
}

export const noPoint: MeasuredValue = { value: null, n: null };

/** A metric without rows has no value: a bare zero would be wrong, whatever other metrics of the same row have. */
export function pointOf(row: ResultRow | undefined, column: string, nColumn = 'n'): MeasuredValue {
  const n = row === undefined ? null : numberIn(row, nColumn);
  return row === undefined || n === 0 ? noPoint : { value: numberIn(row, column), n };
}

export function numberIn(row: ResultRow, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}

/**
 * A value beside that of another window, with the server's verdict on the change. The words give no verdicts of their own.
 */
export interface ComparedValue {
  readonly now: MeasuredValue;
  readonly before: MeasuredValue;
  /** Null where the change has no verdict. */
  readonly verdict: Verdict | null;
  readonly isBetter: boolean | null;
}

const unknown: ComparedValue = { now: noPoint, before: noPoint, verdict: null, isBetter: null };

/** The change of a metric as a whole, from the results of a compared question. */
export const comparedOf = (results: readonly ResultRow[] | undefined, metric: string): ComparedValue => {
  const result = results?.findLast((one) => isOf(one, metric));
  return result ? comparedRow(result) : unknown;
};

/** The change of each group, with the group's name in that column; null where it has none. */
export function comparedBy(
  results: readonly ResultRow[] | undefined,
  metric: string,
  column: string,
): readonly (ComparedValue & { readonly name: string | null })[] {
  return (results ?? []).flatMap((result) => {
    const group = result.group_by;
    if (!isOf(result, metric) || !isObject(group)) return [];
    const name = group[column];
    return [{ ...comparedRow(result), name: typeof name === 'string' ? name : null }];
  });
}

/** A size has three results. It is filtered and sorted by the last of them. */
function isOf({ metric_name }: ResultRow, metric: string): boolean {
  return metric_name === metric || metric_name === `${metric}.total_changes`;
}

const isObject = (value: ResultValue | undefined): value is ResultRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A count of 0 that is compared is a true 0: the history covers all of its window. */
function pointBefore(result: ResultRow): MeasuredValue {
  const { previous_n, previous_value, verdict } = result;
  const isKnown = previous_value === 0 && previous_n === 0 && verdict !== null && verdict !== 'no_comparison';
  return isKnown ? { value: 0, n: 0 } : pointOf(result, 'previous_value', 'previous_n');
}

/** One result of a compared question. */
export function comparedRow(result: ResultRow): ComparedValue {
  const { verdict, is_better } = result;
  return {
    now: pointOf(result, 'value'),
    before: pointBefore(result),
    verdict: typeof verdict === 'string' ? (verdict as Verdict) : null,
    isBetter: typeof is_better === 'boolean' ? is_better : null,
  };
}
