import { bucketsOf } from './calendar.ts';
import type { Evaluated } from './evaluate.ts';
import {
  inOrder,
  isTooSmall,
  type JoinedRow,
  joinedRows,
  keyOf,
  largeEnough,
  type MetricValues,
  ofNothing,
} from './joined-rows.ts';
import { bucketOfWindow, judgedValues, type KnownHistory } from './judged-results.ts';
import { type Evaluation, groupsOf, type MetricGroup, windowSeen } from './metric-groups.ts';
import type { Cell } from './order.ts';
import { type AskedMetric, type QuestionBody, typeOf } from './question.ts';
import { dateRangeOf, daysOf, hasWholeDays, type Window, windowBefore } from './window.ts';
import { written } from './written.ts';

interface ComparedRow extends JoinedRow {
  readonly before: readonly MetricValues[];
}

/** Values beside those of the period before. */
export function resultsAnswer(evaluation: Evaluation, body: QuestionBody, history?: KnownHistory): Evaluated {
  const { question, level, window } = evaluation;
  if (!window) throw new Error('people metrics have no previous period');
  const seen = question.asked.map((one) => windowSeen(evaluation, one) ?? window);
  // Where all of them look at whole days, so does the answer when it names them and the days before.
  const range = seen.every(hasWholeDays) ? daysOf(window) : window;
  const all = inOrder(evaluation, compared(evaluation), comparedCell);
  const judged = question.asked.map((one) => (history ? judgedIn(evaluation, one, history) : undefined));
  const results = all.slice(0, question.limit).flatMap((row) => {
    const { bucket, place, said, counts, before } = row;
    const groupBy = Object.fromEntries([
      ...(level ? [[`${level}_date`, bucket]] : []),
      ...question.groupBy.map((name, i) => [name, written(place[i] ?? null, typeOf(question, name))]),
    ]);
    return question.asked.flatMap(({ metric, values }, i) => {
      const judgedValues = judged[i]?.(row);
      return values.map(({ metricName }, j) => {
        const [value, previousValue] = [said[i]?.[j] ?? null, before[i]?.[j] ?? null];
        return {
          metric_name: metricName,
          value,
          ...(question.showsN && !judgedValues ? { n: counts[i] } : {}),
          group_by: groupBy,
          ...(metric.unit ? { unit: metric.unit } : {}),
          previous_value: previousValue,
          change_percentage: change(value, previousValue),
          ...judgedValues?.[j],
        };
      });
    });
  });
  const meta = {
    filters: body.filters,
    date_range: dateRangeOf(range),
    previous_date_range: dateRangeOf(previousOf(evaluation, range)),
  };
  return { answer: { results, meta }, total: all.length > question.limit ? all.length : undefined };
}

/** Every group of either period that is not too small now. Buckets of the two periods meet by their position. */
function compared(evaluation: Evaluation): ComparedRow[] {
  const { question } = evaluation;
  const { asked } = question;
  const nothing = asked.map(ofNothing);
  const rows = new Map<string, ComparedRow>();
  const nothingBefore = ({ bucket }: JoinedRow): MetricValues[] =>
    asked.map((one) => (isCompared(evaluation, one, bucket) ? ofNothing(one) : one.values.map(() => null)));
  for (const row of largeEnough(joinedRows(evaluation), asked))
    rows.set(keyOf(row), { ...row, before: nothingBefore(row) });

  for (const row of joinedRows(evaluation, (one) => groupsBefore(evaluation, one))) {
    const before = nothingBefore(row).map((none, i) => row.said[i] ?? none);
    const now = rows.get(keyOf(row));
    // Nothing now, where there was something before, is an answer too unless nothing is too small to be one.
    const isAnswer = asked.some((one, i) => !isTooSmall(one, nothing[i]));
    if (now) rows.set(keyOf(row), { ...now, before });
    else if (isAnswer) rows.set(keyOf(row), { ...row, said: nothing, counts: asked.map(() => 0), before });
  }
  return [...rows.values()];
}

const previousOf = ({ question }: Evaluation, window: Window): Window => question.comparedWith ?? windowBefore(window);

/** What may be said of the values of a metric, from the rows of the two windows that it sees. */
function judgedIn(evaluation: Evaluation, one: AskedMetric, history: KnownHistory) {
  const { level } = evaluation;
  const window = windowSeen(evaluation, one);
  if (!window) throw new Error('people metrics have no previous period');
  const previous = previousOf(evaluation, window);
  const windowsOf = (bucket: string | undefined): readonly [Window, Window] | undefined => {
    if (!level || bucket === undefined) return [window, previous];
    const at = bucketsOf(level, window.firstDay, window.lastDay).indexOf(bucket);
    const counterpart = bucketsOf(level, previous.firstDay, previous.lastDay)[at];
    return counterpart === undefined
      ? undefined
      : [bucketOfWindow(window, level, bucket), bucketOfWindow(previous, level, counterpart)];
  };
  const groups = { now: groupsOf(evaluation, one), before: groupsBefore(evaluation, one), windowsOf };
  return judgedValues(evaluation, one, groups, history);
}

/** Whether the period before has a bucket at the position of this one. */
function isCompared(evaluation: Evaluation, one: AskedMetric, bucket: string | undefined): boolean {
  const { level } = evaluation;
  const window = windowSeen(evaluation, one);
  if (!window || !level) return true;
  const before = previousOf(evaluation, window);
  const position = bucketsOf(level, window.firstDay, window.lastDay).indexOf(bucket ?? '');
  return position < bucketsOf(level, before.firstDay, before.lastDay).length;
}

/** The groups of a metric in the period before what it sees, each under the bucket that it is compared with. */
function groupsBefore(evaluation: Evaluation, one: AskedMetric): MetricGroup[] {
  const { level } = evaluation;
  const window = windowSeen(evaluation, one);
  const previous = window && previousOf(evaluation, window);
  const groups = groupsOf({ ...evaluation, window: previous }, one);
  if (!window || !previous || !level) return groups;
  const buckets = bucketsOf(level, window.firstDay, window.lastDay);
  const previousBuckets = bucketsOf(level, previous.firstDay, previous.lastDay);
  return groups.flatMap((group) => {
    // A period before with more buckets has some that stand beside nothing.
    const bucket = buckets[previousBuckets.indexOf(group.bucket ?? '')];
    return bucket === undefined ? [] : { ...group, bucket };
  });
}

/** The leading metric is what the columns of a result are sorted by. */
function comparedCell({ said, before }: ComparedRow, column: string): Cell | undefined {
  const [value, previous] = [said[0]?.at(-1) ?? null, before[0]?.at(-1) ?? null];
  switch (column) {
    case 'value':
      return value;
    case 'previous_value':
      return previous;
    case 'change_percentage':
      return change(value, previous);
    default:
      return undefined;
  }
}

/** In percent, one decimal, halves away from zero. */
function change(value: Cell, previous: Cell): number | null {
  if (typeof value !== 'number' || typeof previous !== 'number' || previous === 0) return null;
  const tenths = ((value - previous) * 1_000) / Math.abs(previous);
  return ((tenths < 0 ? -1 : 1) * Math.round(Math.abs(tenths))) / 10 || 0;
}
