import type { Principal } from '../access/principal.ts';
import { scopeTo } from '../access/scope.ts';
import { isPeopleFilter, type RowFilter, valuePlaces } from '../catalogue/filters.ts';
import type { Table } from '../catalogue/table.ts';
import { userMetrics } from '../catalogue/tables/user-metrics.ts';
import type { QuerySession } from './plan.ts';
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
