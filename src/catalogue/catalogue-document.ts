import { type Aggregation, aggregations } from '../expression/expression.ts';
import { type FilterDeclaration, filters, peopleFiltersOf, predicatesOf } from './filters.ts';
import { groupColumnsOf } from './group-columns.ts';
import { filterLabels } from './labels/filter-labels.ts';
import { metricLabels } from './labels/metric-labels.ts';
import { columnLabel, valueLabel } from './labels/shown-names.ts';
import { type Gate, type Metric, takesAggregation, type Unit, valueColumnsOf } from './metric.ts';
import { dateDetails, metricDomains } from './metrics/all-metrics.ts';
import type { Field, FieldType } from './record.ts';
import { type Column, originOf, type Table } from './table.ts';
import { askedTables, factTables } from './tables/all-tables.ts';

/** The entry of periods, which are asked of no table. */
export interface Calendar {
  readonly levels: readonly string[];
  /** The columns of `date-details` at a level. */
  readonly columns: (level: string) => readonly { readonly name: string; readonly type: FieldType }[];
  /** The filters that are no filters of rows: the window. */
  readonly filters: readonly string[];
}

interface NamedColumn {
  readonly name: string;
  /** Its name for people. */
  readonly label: string;
  readonly type: FieldType;
  readonly meaning: string;
  readonly one_of?: readonly string[];
  /** The names of these values for people. */
  readonly value_labels?: Readonly<Record<string, string>>;
}

export interface TableEntry {
  readonly name: string;
  readonly meaning: string;
  /** The column that identifies a record: grouping a count metric by it lists records. */
  readonly key: readonly string[];
  /** The word for the person of a row; null where rows have no person. */
  readonly person: string | null;
  readonly date_fields: readonly { readonly name: string; readonly column: string }[];
  readonly columns: readonly (NamedColumn & { readonly origin: string })[];
  /** The columns that its metrics can be grouped by, in order. */
  readonly group_columns: readonly NamedColumn[];
  readonly metrics: readonly string[];
}

export interface MetricEntry {
  readonly name: string;
  readonly label: string;
  readonly title: string;
  readonly domain: string;
  readonly table: string | null;
  readonly kind: Metric['kind'] | 'calendar';
  readonly meaning: string;
  readonly unit: Unit | null;
  readonly better: 'lower' | 'higher' | null;
  /** The column of a flat answer. `{aggregation}` stands for the caller's choice. */
  readonly columns: readonly string[];
  readonly needs_aggregation: boolean;
  /** Every name, with the column it means. */
  readonly date_fields: readonly { readonly name: string; readonly column: string }[];
  readonly default_date_field: string | null;
  readonly filters: readonly string[];
  readonly gate: Gate | null;
  /** The table whose group columns it has. */
  readonly group_columns_of: string | null;
  readonly always_grouped_by: readonly string[];
}

export interface CatalogueDocument {
  readonly tables: readonly TableEntry[];
  readonly metrics: readonly MetricEntry[];
  readonly filters: readonly {
    readonly name: string;
    readonly label: string;
    readonly meaning: string;
    readonly form: string;
    readonly one_of: readonly (string | number)[] | null;
    readonly aliases: readonly string[];
  }[];
  readonly aggregations: readonly { readonly name: string; readonly meaning: string }[];
  readonly date_levels: readonly string[];
  readonly units: readonly { readonly name: Unit; readonly meaning: string }[];
  readonly gates: readonly { readonly name: Gate; readonly meaning: string }[];
}

const aggregationMeanings: Readonly<Record<Aggregation, string>> = {
  sum: 'All values added up. Nothing adds up to 0.',
  avg: 'Average.',
  min: 'Smallest value.',
  max: 'Largest value.',
  median: 'Median, interpolated linearly.',
  p75: '75th percentile, interpolated linearly.',
  p90: '90th percentile, interpolated linearly.',
  p95: '95th percentile, interpolated linearly.',
};

const unitMeanings: Readonly<Record<Unit, string>> = {
  seconds: 'Seconds.',
  lines: 'Lines of code.',
  bytes: 'Bytes.',
  usd: 'US dollars.',
  tokens: 'Tokens of a language model.',
};

const gateMeanings: Readonly<Record<Gate, string>> = {
  salary:
    'The organisation shows salaries, and the creator of the key has the permission can-view-salaries. Everyone else is refused with 403.',
  survey: 'The key was created by an Owner or a Manager. Everyone else is refused with 403.',
};

const windowMeanings: Readonly<Record<string, string>> = {
  start_date: 'First day, such as 2024-01-31, or a timestamp.',
  end_date: 'Last day, all of it, or a timestamp. Today by default.',
};

const named = <N extends string, M>(meanings: Readonly<Record<N, M>>) =>
  (Object.entries(meanings) as [N, M][]).map(([name, meaning]) => ({ name, meaning }));

/** All metrics, tables and filters as data, made from declarations and nothing else. */
export function catalogueDocument(calendar: Calendar): CatalogueDocument {
  const windowEntries = calendar.filters.map((name) => ({
    name,
    label: columnLabel(name),
    meaning: windowMeanings[name] ?? '',
    form: 'date',
    one_of: null,
    aliases: [],
  }));
  return {
    tables: Object.values<Table>({ ...askedTables, ...factTables }).map(tableEntry),
    metrics: [
      ...Object.entries(metricDomains).flatMap(([domain, some]) =>
        some.map((metric) => metricEntry(domain, metric, calendar)),
      ),
      periodsEntry(calendar),
    ],
    filters: [...windowEntries, ...Object.entries(filters).map(filterEntry)],
    aggregations: aggregations.map((name) => ({ name: name.toUpperCase(), meaning: aggregationMeanings[name] })),
    date_levels: calendar.levels,
    units: named(unitMeanings),
    gates: named(gateMeanings),
  };
}

function tableEntry(table: Table): TableEntry {
  const { name, meaning, key, publicKey, person, dates, columns } = table;
  const metrics = Object.values(metricDomains)
    .flat()
    .filter((metric) => metric.table === table)
    .map((metric) => metric.name);
  return {
    name,
    meaning,
    key: publicKey ?? key,
    person: person ?? null,
    date_fields: Object.entries(dates).map(([field, column]) => ({ name: field, column })),
    columns: Object.entries(columns).flatMap(([column, field]) => (field.hidden ? [] : columnEntry(column, field))),
    // A table without metrics cannot be grouped either.
    group_columns: metrics.length === 0 ? [] : [...groupColumnsOf(table).values()].map(groupEntry),
    metrics,
  };
}

const columnEntry = (name: string, column: Column): TableEntry['columns'][number] => ({
  ...fieldEntry(name, column),
  origin: originOf(column),
});

const groupEntry = ({ name, type, meaning }: Omit<NamedColumn, 'label'>): NamedColumn => ({
  name,
  label: columnLabel(name),
  type,
  meaning,
});

const fieldEntry = (name: string, { type, meaning, oneOf }: Field): NamedColumn => ({
  name,
  label: columnLabel(name),
  type,
  meaning,
  ...(oneOf
    ? { one_of: oneOf, value_labels: Object.fromEntries(oneOf.map((value) => [value, valueLabel(name, value)])) }
    : {}),
});

function metricEntry(domain: string, metric: Metric, calendar: Calendar): MetricEntry {
  const { name, title, label, table, kind, meaning, unit, better, dates, dateNames, gate, alwaysBy } = metric;
  return {
    name,
    label,
    title,
    domain,
    table: table.name,
    kind,
    meaning,
    unit: unit ?? null,
    better: better ?? null,
    columns: valueColumnsOf(metric, '{aggregation}' as Aggregation).map(({ column }) => column),
    needs_aggregation: takesAggregation(metric),
    date_fields: dates.flatMap((column) =>
      Object.keys(dateNames)
        .filter((field) => dateNames[field] === column)
        .map((field) => ({ name: field, column })),
    ),
    default_date_field: dates[0] ?? null,
    filters: [...calendar.filters, ...peopleFiltersOf(metric), ...Object.keys(predicatesOf(metric))],
    gate: gate ?? null,
    group_columns_of: table.name,
    always_grouped_by: alwaysBy,
  };
}

/** The one metric that no table holds. */
function periodsEntry(calendar: Calendar): MetricEntry {
  const [level = 'day'] = calendar.levels;
  return {
    name: dateDetails,
    label: metricLabels[dateDetails] ?? dateDetails,
    title: 'Date details',
    domain: 'Periods',
    table: null,
    kind: 'calendar',
    meaning:
      'The periods of a window: the first and last day of each, how many days it has, whether it is the current one and whether the data of a metric (pull-requests-count unless `metric` names another) are complete in it, and the days of the period it is compared with: that at its position in the previous window, which has as many calendar months where the window is made of whole ones, else as many days. By day unless a date level is given, after which its first column is named.',
    unit: null,
    better: null,
    columns: calendar.columns(level).map(({ name }) => name),
    needs_aggregation: false,
    date_fields: [],
    default_date_field: null,
    filters: calendar.filters,
    gate: null,
    group_columns_of: null,
    always_grouped_by: [],
  };
}

const filterEntry = ([name, { meaning, form, oneOf, aliases }]: [string, FilterDeclaration]) => ({
  name,
  label: (filterLabels as Readonly<Record<string, string>>)[name] ?? name,
  meaning,
  form,
  one_of: oneOf ?? null,
  aliases: aliases ?? [],
});
