import type { Principal } from '../access/principal.ts';
import { scopeTo } from '../access/scope.ts';
import { addDays, dayOfNumber, secondsOfDay, secondsPerDay, type TimeZone } from '../calendar.ts';
import { isPeopleFilter, type RowFilter, valuePlaces } from '../catalogue/filters.ts';
import type { Table } from '../catalogue/table.ts';
import { userMetrics } from '../catalogue/tables/user-metrics.ts';
import type { RowNode } from '../expression/expression.ts';
import type { Cell, Measure, Plan, Query, QuerySession, Span } from './plan.ts';
import { rowsWithValue } from './planner.ts';
import type { MetricRequest, RequestedFilters } from './request.ts';

type ValueSet = ReadonlySet<string | number>;

/** Values that match nothing in the organisation's data, as far as the caller may see it: by filter, as they were read. */
export type UnmatchedValues = ReadonlyMap<string, ValueSet>;

/** The filters and values as the caller sent them. */
export type UnmatchedFilters = Readonly<Record<string, readonly unknown[]>>;

/**
 * Looks every value up, whatever the window and the other filters are. One statement for each filter is enough where its
 * values are there; only those that are not are looked for in further tables.
 */
export async function findUnmatched(
  session: QuerySession,
  { filters, metrics }: Pick<MetricRequest, 'filters' | 'metrics'>,
  principal: Principal,
): Promise<UnmatchedValues> {
  const unmatched = new Map<string, ValueSet>();
  const tables = [...new Set(metrics.map(({ metric }) => metric.table))];
  for (const [filter, values] of valuesByFilter(filters)) {
    const left = isPeopleFilter(filter)
      ? await leftOf(values, [
          (some) => session.found({ from: scopeTo(principal, userMetrics), people: filter, values: some }),
        ])
      : await leftOf(values, rowLookups(session, filter as RowFilter, tables, principal));
    if (left.size > 0) unmatched.set(filter, left);
  }
  return unmatched;
}

type FindValues = (values: readonly (string | number)[]) => Promise<(string | number)[]>;

const rowLookups = (
  session: QuerySession,
  filter: RowFilter,
  tables: readonly Table[],
  principal: Principal,
): FindValues[] =>
  valuePlaces(filter, tables).map((some) => {
    const places = some.map(({ table, predicate }) => ({ from: scopeTo(principal, table), predicate }));
    return (values) => session.found({ places, values: values.map(String) });
  });

/** The values that none of these places has. */
async function leftOf(values: ValueSet, places: readonly FindValues[]): Promise<ValueSet> {
  const left = new Set(values);
  for (const find of places) {
    if (left.size === 0) break;
    for (const value of await find([...left])) left.delete(value);
  }
  return left;
}

function valuesByFilter({ sent }: RequestedFilters): Map<string, Set<string | number>> {
  const byFilter = new Map<string, Set<string | number>>();
  for (const { filter, value } of sent) {
    const values = byFilter.get(filter) ?? new Set();
    byFilter.set(filter, values.add(value));
  }
  return byFilter;
}

/** Undefined where everything that was sent matches something. Equal values are named once. */
export function unmatchedAsSent(
  { sent }: RequestedFilters,
  unmatched: UnmatchedValues | undefined,
): UnmatchedFilters | undefined {
  if (!unmatched || unmatched.size === 0) return undefined;
  const named = new Map<string, Map<string, unknown>>();
  for (const { filter, value, sentFilter, sentValue } of sent) {
    if (!unmatched.get(filter)?.has(value)) continue;
    const values = named.get(sentFilter) ?? new Map<string, unknown>();
    named.set(sentFilter, values.set(JSON.stringify(sentValue), sentValue));
  }
  return Object.fromEntries([...named].map(([filter, values]) => [filter, [...values.values()]]));
}

/** The days of the rows with a value that are next to the window. */
export interface NearestRows {
  readonly before: string | null;
  readonly after: string | null;
}

/** The rows that have the value of a measure. Of a share of people: the rows of those of whom it holds. */
export const havingValue = (measure: Measure, table: Table): RowNode | undefined => {
  if ('value' in measure) return rowsWithValue(measure.value, table);
  return 'people' in measure ? measure.people : undefined;
};

/** Everything that a plan reads, as one group. */
export const withoutGroups = (plan: Plan): Plan => ({ ...plan, bucket: undefined, groupBy: [], minimumValues: [] });

/** The nearest rows with a value on either side of a window, all of it through the plan's own table. */
export async function nearestRows(
  session: QuerySession,
  whole: Plan,
  hasValue: RowNode | undefined,
  zone: TimeZone,
): Promise<NearestRows> {
  const [before, after] = whole.span ? outside(whole.span) : [];
  return {
    before: before ? await nearestDay(session, { ...whole, span: before }, 'desc', hasValue, zone) : null,
    after: after ? await nearestDay(session, { ...whole, span: after }, 'asc', hasValue, zone) : null,
  };
}

/** The nearest rows for an answer that shows nothing. Undefined where its window has rows with a value all the same. */
export async function nearestToNothing(
  session: QuerySession,
  { plans }: Query,
  zone: TimeZone,
): Promise<NearestRows | undefined> {
  const found: NearestRows[] = [];
  for (const plan of plans) {
    const leading = plan.measures.at(-1);
    if (!leading || !plan.span) continue;
    const whole = withoutGroups(plan);
    const hasValue = havingValue(leading, plan.from.table);
    const [inWindow = 0] = await countRows(session, whole, [hasValue]);
    if (inWindow > 0) return undefined;
    found.push(await nearestRows(session, whole, hasValue, zone));
  }
  const days = (side: keyof NearestRows) => found.flatMap((one) => one[side] ?? []).sort();
  const [before = null, after = null] = [days('before').at(-1), days('after')[0]];
  return before === null && after === null ? undefined : { before, after };
}

/** How many rows of a plan there are of which each of the conditions holds, in one statement. */
export async function countRows(
  session: QuerySession,
  plan: Plan,
  conditions: readonly (RowNode | undefined)[],
): Promise<number[]> {
  const measures = conditions.map(
    (where, i): Measure => ({ as: `count ${i}`, type: 'number', value: { op: 'count', where } }),
  );
  const values = measures.map(({ as }) => as);
  const [row = []] = await session.rows({ plans: [{ ...plan, measures }], values, order: [], limit: 1 });
  return row.map((cell) => Number(cell ?? 0));
}

/** No time is earlier or later: years have four digits. */
const earliest = { second: secondsOfDay('0001-01-01'), day: '0001-01-01' };
const latest = { second: Date.parse('9999-12-31T23:59:59Z') / 1_000 + 1, day: '9999-12-31' };

/** The time before a window, and the time after it. */
export function outside(span: Span): [Span, Span] {
  if (span.type === 'date') {
    return [
      { ...span, from: earliest.day, to: addDays(span.from, -1) },
      { ...span, from: addDays(span.to, 1), to: latest.day },
    ];
  }
  return [
    { ...span, from: earliest.second, until: span.from },
    { ...span, from: span.until, until: latest.second },
  ];
}

async function nearestDay(
  session: QuerySession,
  plan: Plan,
  direction: 'asc' | 'desc',
  hasValue: RowNode | undefined,
  zone: TimeZone,
): Promise<string | null> {
  const { span, from } = plan;
  if (!span) return null;
  const value: RowNode = { op: 'column', name: span.column };
  const measure: Measure = {
    as: 'nearest',
    type: 'number',
    value: {
      op: 'aggregate',
      aggregation: direction === 'asc' ? 'min' : 'max',
      value: hasValue ? { op: 'when', condition: hasValue, value } : value,
    },
  };
  const [row] = await session.rows({
    plans: [{ ...plan, from, measures: [measure] }],
    values: ['nearest'],
    order: [],
    limit: 1,
  });
  return dayOf(row?.[0] ?? null, span, zone);
}

/** A day is given as its first second. */
function dayOf(cell: Cell, { type }: Span, zone: TimeZone): string | null {
  if (cell === null) return null;
  return type === 'date' ? dayOfNumber(Number(cell) / secondsPerDay) : zone.dayAt(Number(cell));
}
