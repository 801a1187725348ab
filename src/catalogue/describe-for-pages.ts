import { type Calendar, catalogueDocument, type MetricEntry } from './catalogue-document.ts';
import {
  filters as declaredFilters,
  type FilterPredicate,
  type PeopleFilterDeclaration,
  peopleFilters,
  predicates,
} from './filters.ts';
import { groupColumnsOf } from './group-columns.ts';
import { type Metric, rowColumnOf } from './metric.ts';
import { metrics as declaredMetrics } from './metrics/all-metrics.ts';
import type { Columns, Table } from './table.ts';
import { askedTables } from './tables/all-tables.ts';

/**
 * The part of the catalogue that pages know without a request, as a TypeScript module. Names are types, so a page that
 * asks for an unknown metric, filter or column does not compile. Columns are types only and are not sent to a browser.
 * A line for each metric and each table.
 */
export function pagesModule(calendar: Calendar): string {
  const { metrics, tables, filters, aggregations } = catalogueDocument(calendar);
  const asked = metrics.filter(({ table }) => table !== null);
  const shownTables = tables.filter((table) => table.metrics.length > 0);
  const usual = new Map(shownTables.map(({ name }) => [name, commonFilters(asked, name)]));
  return [
    '// Made from the catalogue by `npm run docs`: change src/catalogue/, not this file.',
    '',
    '/** What nearly every metric of a table can be filtered by. */',
    'const filtersOf = {',
    ...[...usual].map(([table, names]) => `  ${table}: ${names},`),
    '} as const;',
    '',
    'export const metrics = {',
    ...asked.map((metric) => metricLine(metric, usual)),
    '} as const;',
    '',
    'export const tables = {',
    ...shownTables.map(
      ({ name, key }) => `  ${name}: { key: ${list(key)}, filterOf: ${record(filterOfColumns(name))} },`,
    ),
    '} as const;',
    '',
    '/** The filter that finds the rows with a value of a column of their person. Tables have others for their own columns. */',
    `export const filterOfPerson = ${record(filterOfPerson)} as const;`,
    '',
    '/** Filters of one text, not of a list. */',
    `export const textFilters: readonly string[] = ${list(filters.flatMap(({ name, form }) => (form === 'text' ? [name] : [])))};`,
    '',
    '/** Filters that refuse other values than these. */',
    'export const closedFilters: Readonly<Partial<Record<string, readonly string[]>>> = {',
    ...filters.flatMap(({ name, form, one_of }) =>
      one_of && form === 'texts' ? [`  ${name}: ${list(one_of.map(String))},`] : [],
    ),
    '};',
    '',
    'export interface ColumnsOfTable {',
    ...shownTables.map(({ name, group_columns }) => `  ${name}: ${union(group_columns.map((one) => one.name))};`),
    '}',
    '',
    `export type FilterName = ${union(filters.map(({ name }) => name))};`,
    '',
    `export const aggregations = ${list(aggregations.map(({ name }) => name))} as const;`,
    '',
  ].join('\n');
}

const filterOfPerson: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<PeopleFilterDeclaration>(peopleFilters).flatMap(([filter, { columns = [] }]) =>
    columns.map((column) => [column, filter]),
  ),
);

/** The filter that finds the rows with a value of a column, for the columns of a table that have one. */
function filterOfColumns(name: string): Readonly<Record<string, string>> {
  const table = Object.values<Table>(askedTables).find((one) => one.name === name);
  const found = Object.entries((table && predicates.get(table)) ?? {}).flatMap(([filter, predicate]) =>
    predicate.onlyWhereNamed || declaredFilters[filter]?.form === 'integers'
      ? []
      : columnsFoundBy(predicate, table?.columns ?? {}).map((column) => [column, filter]),
  );
  return Object.fromEntries(found);
}

function columnsFoundBy(predicate: FilterPredicate, columns: Columns): string[] {
  switch (predicate.by) {
    case 'value':
    case 'id':
      return [predicate.column];
    case 'repository':
      return [predicate.column, 'repository_name'].filter((name) => name in columns);
    default:
      return [];
  }
}

/** The filters that most metrics of a table take. */
function commonFilters(metrics: readonly MetricEntry[], table: string): string {
  const lists = metrics.filter((metric) => metric.table === table).map(({ filters }) => list(filters));
  const times = (one: string): number => lists.filter((other) => other === one).length;
  return lists.toSorted((a, b) => times(b) - times(a))[0] ?? '[]';
}

function metricLine(metric: MetricEntry, usual: ReadonlyMap<string, string>): string {
  const { name, label, domain, table, kind, meaning, unit, better, columns, needs_aggregation, gate } = metric;
  const about = {
    label,
    domain,
    table,
    kind,
    meaning,
    unit,
    better,
    column: columns.at(-1),
    needsAggregation: needs_aggregation,
    dateField: metric.default_date_field,
    gate,
  };
  const declared = declaredMetrics.get(name);
  const value = declared && shownValueOf(declared);
  const own = list(metric.filters);
  const fields = Object.entries({ ...about, ...(value && { value }) }).map(([field, is]) => `${field}: ${quoted(is)}`);
  const tables = declared?.readsDeployments ? [declared.table.name, 'deployments'] : [];
  const waits = tables.length === 0 ? [] : [`tables: ${list(tables)}`];
  const filters = own === usual.get(table ?? '') ? `filtersOf.${table}` : own;
  return `  '${name}': { ${[...fields, ...waits, `filters: ${filters}`].join(', ')} },`;
}

/** The column that a record is listed with: some can be asked for by nobody, such as salaries. */
function shownValueOf(metric: Metric): string | undefined {
  const column = rowColumnOf(metric);
  return column !== undefined && groupColumnsOf(metric.table).has(column) ? column : undefined;
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
const record = (entries: Readonly<Record<string, string>>): string => {
  const fields = Object.entries(entries).map(([name, value]) => `${name}: ${quoted(value)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
};
const list = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`;
const union = (names: readonly string[]): string => names.map(quoted).join(' | ');
