import { closedFilters, filterOfPerson, metrics, tables, textFilters } from './catalogue.ts';
import { aboutMetric, defaultAggregation, type MetricName, valueColumn } from './metric-facts.ts';
import { conditionsOf, hasRowPicks, type RowPicks } from './panel-conditions.ts';
import { isPicked, type PickedBy } from './picked-rows.ts';
import type { Question } from './question.ts';
import { type RecordList, recordLists } from './record-lists.ts';
import type { Row } from './send.ts';
import type { View } from './view.ts';
import type { PanelState } from './view-state.ts';

/** The records behind a number: the request that lists them, and the conditions that choose among its rows. */
export interface RowsBehind {
  readonly question: Question;
  readonly list: RecordList;
  readonly key: readonly string[];
  readonly value: string | undefined;
  /** Columns that no filter takes: of the answer's rows, only those with these values count. */
  readonly picked: readonly PickedBy[];
  /** The conditions that tell the wanted rows from the others of the answer. */
  readonly conditions: readonly PickedBy[];
  readonly isMeant: (row: Row) => boolean;
}

const maxRows = 200;

/**
 * The metric itself, grouped by the key of its table: a record that has no part in the number has no value there, so that
 * the list is as long as n says.
 */
export function rowsBehind(view: View, panel: PanelState): RowsBehind {
  const { window = view.windowFor(panel.metric), where = {} } = panel;
  const metric = listedBy(panel.metric);
  const about = aboutMetric(metric);
  const aggregation = about.needsAggregation ? (panel.aggregation ?? defaultAggregation(metric)) : undefined;
  const table = about.table as keyof typeof tables;
  const list = recordLists[table];
  const key: readonly string[] = tables[table].key;
  const { value } = about;
  const filterOf: Readonly<Record<string, string>> = { ...filterOfPerson, ...tables[table].filterOf };
  const filters: Record<string, unknown> = { ...view.filtersFor(metric, window) };
  const { date_field, weekday, hour, moment, value_from, value_until, counted: _, ...columnsWanted } = where;
  const picks: RowPicks = { weekday, hour, moment, value_from, value_until };
  const date = date_field ?? about.dateField;
  const pickedMoment = moment ?? date;
  const picked: PickedBy[] = [];
  for (const [column, wanted] of Object.entries(columnsWanted)) {
    const asked = filterAsked(column, wanted);
    if (asked) {
      if (about.filters.includes(asked[0])) filters[asked[0]] = asked[1];
      continue;
    }
    const filter = filterOf[column];
    const isKnown = filter !== undefined && about.filters.includes(filter);
    if (isKnown && wanted !== null && (closedFilters[filter]?.includes(wanted) ?? true)) {
      filters[filter] = textFilters.includes(filter) ? wanted : [wanted];
    } else picked.push(wanted === null ? { column, is: 'empty' } : { column, is: 'equal', to: wanted });
  }
  const shown = [list.name, ...(list.page ? [list.page.id] : []), ...(list.url ? [list.url] : []), ...list.columns];
  const columns = [
    ...key,
    ...shown,
    ...(value ? [value] : []),
    ...picked.map(({ column }) => column),
    ...((weekday || hour) && pickedMoment ? [pickedMoment] : []),
  ];
  const group_by = [...new Set(columns)];
  const isCount = about.kind === 'count';
  const measured = valueColumn(metric, aggregation);
  // Conditions that no filter takes are tested on every row, and only this path returns more than 200.
  const question: Question =
    picked.length > 0 || hasRowPicks(picks)
      ? {
          path: '/metrics/get-multiple-metrics',
          body: {
            metrics: [metric],
            filters,
            group_by,
            ...(aggregation ? { aggregations: { [metric]: aggregation } } : {}),
            ...(date ? { date_fields: { [metric]: date } } : {}),
            ...(isCount ? { metric_min_values: { [metric]: 1 } } : {}),
          },
        }
      : {
          path: `/metrics/${metric}`,
          body: {
            filters,
            group_by,
            ...(aggregation ? { aggregation } : {}),
            ...(date ? { date_field: date } : {}),
            // Records that a count leaves out, such as a deployment to a place other than production, count 0.
            ...(isCount ? { metric_min_value: 1 } : { order_by: measured, order_direction: 'DESC' }),
            limit: maxRows,
          },
        };
  const conditions: PickedBy[] = [
    ...(isCount ? [] : [{ column: measured, is: 'present' } as const]),
    ...picked,
    ...conditionsOf(picks, { value: value ?? measured, date, zone: view.zone }),
  ];
  const isMeant = (row: Row): boolean => conditions.every((one) => isPicked(row, one));
  return { question, list, key, value, picked, conditions, isMeant };
}

/** A filter with all its values, where a column has room for one only: `filter_branches` → `["main","next"]`. */
export const filterInWhere = (filter: string, values: readonly string[]): Readonly<Record<string, string>> => ({
  [`filter_${filter}`]: JSON.stringify(values),
});

function filterAsked(column: string, wanted: string | null): readonly [string, readonly unknown[]] | undefined {
  if (!column.startsWith('filter_') || wanted === null) return undefined;
  try {
    const values: unknown = JSON.parse(wanted);
    return Array.isArray(values) ? [column.slice('filter_'.length), values] : undefined;
  } catch {
    return undefined;
  }
}

/** Shares of people and texts have no value in a single record: the list shows the records that are counted. */
function listedBy(metric: MetricName): MetricName {
  const about = aboutMetric(metric);
  if (about.kind !== 'share' && about.kind !== 'text') return metric;
  const names = Object.keys(metrics) as MetricName[];
  const fits = (name: MetricName): boolean => {
    const other = aboutMetric(name);
    return other.kind === 'count' && other.table === about.table && String(other.filters) === String(about.filters);
  };
  return names.find(fits) ?? metric;
}
