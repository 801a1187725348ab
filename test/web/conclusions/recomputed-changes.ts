import type { AskedRow, RowsOfReader } from './asked-rows.ts';
import type { DataExtent } from './data-extent.ts';
import { factsOf, kindOf, type MetricName } from './metric-facts.ts';
import { type AnsweredChange, type AskedMetric, askedMetrics, type OpenedPage, resultsOf } from './opened-page.ts';
import { type Days, dayOf, lengthOf } from './plain-days.ts';
import {
  isBetter,
  type JudgedNumber,
  type Kind,
  numberOf,
  type PlainNumber,
  type PlainVerdict,
  verdictOf,
} from './plain-verdict.ts';

/** A change that a page asked for, worked out again from its rows. */
export interface RecomputedChange {
  readonly asked: AskedMetric;
  readonly answered: AnsweredChange;
  readonly metric: MetricName;
  /** Which group it is of; empty for the whole. */
  readonly group: Readonly<Record<string, unknown>>;
  readonly kind: Kind;
  readonly now: JudgedNumber;
  readonly before: JudgedNumber;
  readonly verdict: PlainVerdict;
  /** Both windows are known in full. */
  readonly isComparable: boolean;
  readonly isBetter: boolean | null;
}

export async function recomputedChanges(
  page: OpenedPage,
  rows: RowsOfReader,
  extent: DataExtent,
): Promise<readonly RecomputedChange[]> {
  const changes: RecomputedChange[] = [];
  for (const asked of askedMetrics(page)) {
    const { before } = asked;
    if (!before || asked.level !== undefined) continue;
    for (const answered of resultsOf(asked)) changes.push(await recomputed(asked, before, answered, rows, extent));
  }
  return changes;
}

async function recomputed(
  asked: AskedMetric,
  before: Days,
  answered: AnsweredChange,
  rows: RowsOfReader,
  extent: DataExtent,
): Promise<RecomputedChange> {
  const { metric, aggregation, window } = asked;
  const group = answered.group_by ?? {};
  const kind = kindOf(metric, aggregation);
  const within = async (days: Days): Promise<JudgedNumber> => ({
    ...(await numberWithin(days, asked, rows, extent.zone, group)),
    days: lengthOf(days),
  });
  const change = { now: await within(window), before: await within(before) };
  const isComparable = extent.isComparable(metric, window, before);
  const verdict = verdictOf(kind, { ...change, isComparable });
  return {
    asked,
    answered,
    metric,
    group,
    kind,
    ...change,
    verdict,
    isComparable,
    isBetter: isBetter(verdict, factsOf(metric).better),
  };
}

type Asked = Pick<AskedMetric, 'metric' | 'aggregation' | 'dateField' | 'filters' | 'groupBy'>;

/** The number that the rows of some days give, all of them or those of a group. */
export async function numberWithin(
  days: Days,
  { metric, aggregation, dateField, filters, groupBy }: Asked,
  rows: RowsOfReader,
  zone: string,
  group: Readonly<Record<string, unknown>> = {},
): Promise<PlainNumber> {
  const isOfGroup = (columns: Readonly<Record<string, unknown>>): boolean =>
    Object.entries(group).every(([column, value]) => columns[column] === value);
  const some = (await rows.of({ metric, dateField, filters, groupBy })).filter(
    (row) => isOfGroup(row.columns) && isWithin(row, days, zone),
  );
  if (metric !== 'adoption-rate') return numberOf(kindOf(metric, aggregation), some);
  // Of a group of which nothing is recorded nobody knows how many of its people did something.
  const isRecorded = some.length > 0 || groupBy.length === 0;
  const people = isRecorded ? (await rows.people(groupBy)).filter(isOfGroup).length : 0;
  return shareOf(people, numberOf('count', some));
}

function isWithin({ when }: AskedRow, { start, end }: Days, zone: string): boolean {
  if (when === undefined) return false;
  const day = dayOf(when, zone);
  return start <= day && day <= end;
}

/** People who did something, of all people. */
const shareOf = (people: number, { value, rows }: PlainNumber): PlainNumber => ({
  rows,
  value: people === 0 ? null : (value ?? 0) / people,
  n: people,
  sorted: [],
});
