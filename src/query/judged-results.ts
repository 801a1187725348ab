import { judgedFormOf } from '../catalogue/judged-form.ts';
import { answerColumns } from './answer-columns.ts';
import { judgedWindows, type ReachOf } from './judged-windows.ts';
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
import { type ComparedRow, comparePeriods, isMeasured, periodsBefore, type RowsBefore } from './previous-period.ts';
import type { MetricRequest, RequestedMetric } from './request.ts';
import type { JudgeRow } from './shape/results.ts';
import { judge } from './verdict.ts';

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
