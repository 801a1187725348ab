import { groupColumnsOf } from '../../src/catalogue/group-columns.ts';
import type { Row } from '../../src/catalogue/table.ts';
import { bucketOf, type Level } from './calendar.ts';
import { isWanted } from './directory.ts';
import { aggregateOf, hasValue, rowValue } from './expression.ts';
import type { Cell } from './order.ts';
import { placesOf } from './places.ts';
import { type AskedMetric, type Question, rowsWanted } from './question.ts';
import { isFound } from './row-filters.ts';
import { populationOf, shareOf } from './share.ts';
import { answersLeftOut, isReported, reportedAnswersOf } from './survey-privacy.ts';
import { personSeen, rowsSeen, type View } from './visibility.ts';
import { daysOf, dayWithin, type Window } from './window.ts';

/** One group of one bucket, with what a metric says of it. */
export interface MetricGroup {
  readonly bucket: string | undefined;
  readonly place: readonly Cell[];
  readonly values: readonly (number | string | null)[];
  /** How many rows have the value; of a share, how many people it divides by. */
  readonly n: number;
  readonly rows: readonly Row[];
}

/** A question of one metric, without anything that shapes its answer. */
export interface Evaluation {
  readonly view: View;
  readonly question: Question;
  readonly window: Window | undefined;
  readonly level: Level | undefined;
}

/** The window as a metric sees it: one of days looks at whole days, in its own table and wherever else it looks. */
export function windowSeen({ window }: Evaluation, { metric, dateColumn }: AskedMetric): Window | undefined {
  const type = dateColumn === undefined ? undefined : metric.table.columns[dateColumn]?.type;
  return window && type === 'date' ? daysOf(window) : window;
}

interface RowAsked {
  readonly row: Row;
  readonly bucket: string | undefined;
}

/** The rows that a question leaves, and how many answers to surveys it leaves out because too few people gave them. */
export function rowsAsked(
  evaluation: Evaluation,
  asked: AskedMetric,
): { readonly rows: RowAsked[]; readonly suppressed: number } {
  const { view, question, level } = evaluation;
  const { table } = asked.metric;
  const window = windowSeen(evaluation, asked);
  const filters = rowsWanted(question, asked.metric);
  const asWanted = (row: Row): RowAsked[] => {
    let bucket: string | undefined;
    if (asked.dateColumn !== undefined && window) {
      const day = dayWithin(window, row[asked.dateColumn], table.columns[asked.dateColumn]?.type ?? 'timestamp');
      if (day === undefined) return [];
      if (level) bucket = bucketOf(level, day);
    }
    return filters.every((filter) => isFound(view, row, filter)) ? [{ row, bucket }] : [];
  };
  const isOfWanted = (row: Row): boolean => isWanted(view.world, personSeen(view, row), question.people);
  const seen = rowsSeen(view, table);
  if (table.name !== 'survey_responses') return { rows: seen.filter(isOfWanted).flatMap(asWanted), suppressed: 0 };
  const byRole = seen.filter((row) => !isReported(row) && isOfWanted(row));
  const shown = [...byRole, ...reportedAnswersOf(view, question.people, 'whole')];
  const suppressed = answersLeftOut(view, question.people).flatMap(asWanted).length;
  return { rows: shown.flatMap(asWanted), suppressed };
}

/** Every group that there are rows of. A question that neither groups nor buckets always has one. */
export function groupsOf(evaluation: Evaluation, asked: AskedMetric): MetricGroup[] {
  const { view, question, level } = evaluation;
  const { table } = asked.metric;
  const window = windowSeen(evaluation, asked);
  const known = groupColumnsOf(table);
  const columns = question.groupBy.flatMap((name) => known.get(name) ?? []);
  const groups = new Map<
    string,
    { readonly bucket: string | undefined; readonly place: Cell[]; readonly rows: Row[] }
  >();
  if (columns.length === 0 && level === undefined) {
    groups.set(JSON.stringify([null, []]), { bucket: undefined, place: [], rows: [] });
  }

  for (const { row, bucket } of rowsAsked(evaluation, asked).rows) {
    for (const place of placesOf(view, row, columns, question.people)) {
      const key = JSON.stringify([bucket ?? null, place]);
      const group = groups.get(key) ?? { bucket, place, rows: [] };
      group.rows.push(row);
      groups.set(key, group);
    }
  }

  return [...groups.values()].map(({ bucket, place, rows }) => ({
    bucket,
    place,
    values: valuesOf({ ...evaluation, window }, asked, { bucket, place, rows }),
    n: countOf({ ...evaluation, window }, asked, { bucket, place, rows }),
    rows,
  }));
}

interface RowsOfGroup {
  readonly bucket: string | undefined;
  readonly place: readonly Cell[];
  readonly rows: readonly Row[];
}

function countOf(evaluation: Evaluation, { metric }: AskedMetric, group: RowsOfGroup): number {
  switch (metric.kind) {
    case 'aggregated': {
      const leading = metric.values.at(-1)?.value;
      return group.rows.filter((row) => leading && rowValue(leading, row) !== null).length;
    }
    case 'share':
      return populationOf(evaluation, metric, group).length;
    default:
      return group.rows.filter((row) => hasValue(metric.value, row)).length;
  }
}

function valuesOf(
  evaluation: Evaluation,
  { metric, aggregation }: AskedMetric,
  group: RowsOfGroup,
): (number | string | null)[] {
  switch (metric.kind) {
    case 'aggregated':
      return metric.values.map(({ value }) =>
        aggregateOf({ op: 'aggregate', aggregation: aggregation ?? 'sum', value }, group.rows),
      );
    case 'share':
      return [shareOf(evaluation, metric, group)];
    default:
      return [aggregateOf(metric.value, group.rows)];
  }
}
