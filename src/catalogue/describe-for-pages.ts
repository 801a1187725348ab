import { type Calendar, catalogueDocument, type MetricEntry } from './catalogue-document.ts';
import { metrics as declaredMetrics } from './metrics/metrics.ts';

/**
 * What the pages know of the catalogue without asking, as a module of TypeScript: names as types, so that a page that
 * asks for a metric, a filter or a column that does not exist does not compile. Columns are types only; nothing of them is
 * sent to a browser. A line for each metric and each table.
 */
export function pagesModule(calendar: Calendar): string {
  const { metrics, tables, filters, aggregations } = catalogueDocument(calendar);
  const asked = metrics.filter(({ table }) => table !== null);
  const askedTables = tables.filter((table) => table.metrics.length > 0);
  const usual = new Map(askedTables.map(({ name }) => [name, usualFilters(asked, name)]));
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
    ...askedTables.map(({ name, key }) => `  ${name}: { key: ${list(key)} },`),
    '} as const;',
    '',
    'export interface ColumnsOfTable {',
    ...askedTables.map(({ name, group_columns }) => `  ${name}: ${union(group_columns.map((one) => one.name))};`),
    '}',
    '',
    `export type FilterName = ${union(filters.map(({ name }) => name))};`,
    '',
    `export const aggregations = ${list(aggregations.map(({ name }) => name))} as const;`,
    '',
  ].join('\n');
}

/** The filters that most metrics of a table take. */
function usualFilters(metrics: readonly MetricEntry[], table: string): string {
  const lists = metrics.filter((metric) => metric.table === table).map(({ filters }) => list(filters));
  const times = (one: string): number => lists.filter((other) => other === one).length;
  return lists.toSorted((a, b) => times(b) - times(a))[0] ?? '[]';
}

function metricLine(metric: MetricEntry, usual: ReadonlyMap<string, string>): string {
  const { name, title, domain, table, kind, meaning, unit, better, columns, needs_aggregation, gate } = metric;
  const about = {
    title,
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
  const own = list(metric.filters);
  const fields = Object.entries(about).map(([field, value]) => `${field}: ${quoted(value)}`);
  const tables = tablesOf(name, table);
  const waits = tables.length === 0 ? [] : [`tables: ${list(tables)}`];
  const filters = own === usual.get(table ?? '') ? `filtersOf.${table}` : own;
  return `  '${name}': { ${[...fields, ...waits, `filters: ${filters}`].join(', ')} },`;
}

/** The tables that its values wait for, where its own is not the only one. */
function tablesOf(name: string, table: string | null): readonly string[] {
  return table !== null && declaredMetrics.get(name)?.readsDeployments ? [table, 'deployments'] : [];
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
const list = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`;
const union = (names: readonly string[]): string => names.map(quoted).join(' | ');
