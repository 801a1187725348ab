import { type Calendar, catalogueDocument, type MetricEntry, type TableEntry } from './catalogue-document.ts';
import type { FieldType } from './record.ts';

/**
 * The part of the catalogue that the typed client knows, as a module of types that compile to nothing. Filters and
 * columns are written once for each table, and for a metric only where its own differ.
 */
export function clientModule(calendar: Calendar): string {
  const { metrics, tables, filters, aggregations, date_levels } = catalogueDocument(calendar);
  const asked = metrics.filter(({ table }) => table !== null);
  const askedTables = tables.filter((table) => table.metrics.length > 0);
  const aliasesOf = new Map(filters.map(({ name, aliases }) => [name, aliases]));
  const withAliases = (names: readonly string[]) =>
    union(names.flatMap((name) => [name, ...(aliasesOf.get(name) ?? [])]));
  const usual = new Map(askedTables.map(({ name }) => [name, commonFilters(asked, name, withAliases)]));
  return [
    '// Made from the catalogue by `npm run docs`: change src/catalogue/, not this file.',
    '',
    '/** Every filter with the values that it takes. */',
    'export interface FilterTypes {',
    ...filters.flatMap(({ name, meaning, form, one_of, aliases }) => [
      `  /** ${meaning} */`,
      `  ${name}?: ${filterType(form, one_of)};`,
      ...aliases.map((alias) => `  /** The same as ${name}. */\n  ${alias}?: ${filterType(form, one_of)};`),
    ]),
    '}',
    '',
    '/** Columns that the metrics of a table can be grouped by, with what they hold in a row of an answer. */',
    'export interface ColumnTypes {',
    ...askedTables.map(columnsOf),
    '}',
    '',
    '/** Filters that nearly every metric of a table takes. */',
    'export interface TableFilters {',
    ...[...usual].map(([table, names]) => `  ${table}: ${names};`),
    '}',
    '',
    '/** Every metric that is asked of a table. */',
    'export interface MetricTypes {',
    ...asked.flatMap((metric) => metricLines(metric, usual, withAliases)),
    '}',
    '',
    `export type AggregationName = ${union(aggregations.map(({ name }) => name))};`,
    `export type DateLevelName = ${union(date_levels)};`,
    '',
  ].join('\n');
}

function filterType(form: string, oneOf: readonly (string | number)[] | null): string {
  const value = oneOf ? union(oneOf) : form === 'integers' ? 'number' : 'string';
  switch (form) {
    case 'date':
      return 'string';
    case 'text':
      return 'string | null';
    case 'repositories':
      return 'string | readonly (string | { readonly repository_name: string })[] | null';
    default:
      return `${value} | readonly (${value})[] | null`;
  }
}

const types: Readonly<Record<FieldType, string>> = {
  text: 'string | null',
  'text[]': 'readonly string[] | null',
  integer: 'number | null',
  number: 'number | null',
  boolean: 'boolean | null',
  date: 'string | null',
  timestamp: 'string | null',
  duration: 'string | null',
  json: 'unknown',
};

function columnsOf({ name, group_columns }: TableEntry): string {
  const columns = group_columns.map((column) => `${column.name}: ${types[column.type]}`);
  return `  ${name}: { ${columns.join('; ')} };`;
}

/** The filters that most metrics of a table take. */
function commonFilters(
  metrics: readonly MetricEntry[],
  table: string,
  written: (names: readonly string[]) => string,
): string {
  const lists = metrics.filter((metric) => metric.table === table).map(({ filters }) => written(filters));
  const times = (one: string): number => lists.filter((other) => other === one).length;
  return lists.toSorted((a, b) => times(b) - times(a))[0] ?? 'never';
}

function metricLines(
  metric: MetricEntry,
  usual: ReadonlyMap<string, string>,
  written: (names: readonly string[]) => string,
): string[] {
  const { name, meaning, table, kind, columns, needs_aggregation, filters, date_fields, always_grouped_by } = metric;
  const value = kind === 'count' ? 'number' : kind === 'text' ? 'string | null' : 'number | null';
  // Behind the aggregation that the caller picks, or whole.
  const named = columns.map((column) => column.replace(/^\{aggregation\}_/, ''));
  const about = {
    table: `'${table}'`,
    aggregation: needs_aggregation,
    columns: union(named),
    value,
    filters: usual.get(table ?? '') === written(filters) ? `TableFilters['${table}']` : written(filters),
    dates: union(date_fields.map((field) => field.name)),
    always: union(always_grouped_by),
  };
  const fields = Object.entries(about).map(([field, type]) => `${field}: ${type}`);
  return [`  /** ${meaning} */`, `  '${name}': { ${fields.join('; ')} };`];
}

const union = (values: readonly (string | number)[]): string =>
  values.length === 0 ? 'never' : values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(' | ');
