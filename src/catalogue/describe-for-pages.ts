import { type Calendar, catalogueDocument, type MetricEntry } from './catalogue-document.ts';

/**
 * What the pages know of the catalogue without asking, as a module of TypeScript: names as types, so that a page that
 * asks for a metric, a filter or a column that does not exist does not compile. Columns are types only; nothing of them is
 * sent to a browser.
 */
export function pagesModule(calendar: Calendar): string {
  const { metrics, tables, filters, aggregations } = catalogueDocument(calendar);
  const asked = metrics.filter(({ table }) => table !== null);
  const columnsOf = tables.filter((table) => table.metrics.length > 0);
  return [
    '// Made from the catalogue by `npm run docs`: change src/catalogue/, not this file.',
    '',
    'export const metrics = {',
    ...asked.map(metricLines),
    '} as const;',
    '',
    'export const tables = {',
    ...columnsOf.map(({ name, key }) => `  ${name}: { key: ${list(key)} },`),
    '} as const;',
    '',
    'export interface ColumnsOfTable {',
    ...columnsOf.map(({ name, group_columns }) => `  ${name}:\n    | ${union(group_columns.map((one) => one.name))};`),
    '}',
    '',
    `export type FilterName =\n  | ${union(filters.map(({ name }) => name))};`,
    '',
    `export const aggregations = ${list(aggregations.map(({ name }) => name))} as const;`,
    '',
  ].join('\n');
}

function metricLines(metric: MetricEntry): string {
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
  const fields = Object.entries(about).map(([field, value]) => `    ${field}: ${quoted(value)},`);
  return [`  '${name}': {`, ...fields, `    filters: ${list(metric.filters)},`, '  },'].join('\n');
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
const list = (names: readonly string[]): string => `[${names.map(quoted).join(', ')}]`;
const union = (names: readonly string[]): string => names.map(quoted).join('\n    | ');
