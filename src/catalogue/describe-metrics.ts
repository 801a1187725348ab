import { type Calendar, type CatalogueDocument, catalogueDocument, type MetricEntry } from './catalogue-document.ts';

/** The definitions of all metrics, and of what they are asked with, made from their declarations. */
export function metricsDocument(calendar: Calendar): string {
  const catalogue = catalogueDocument(calendar);
  const domains = [...new Set(catalogue.metrics.map(({ domain }) => domain))];
  const parts = [
    heading,
    ...domains.flatMap((domain) => [`## ${domain}`, ...domainParts(catalogue, domain)]),
    ...filterParts(catalogue),
    ...groupParts(catalogue),
    '## Aggregations',
    meanings(catalogue.aggregations),
    '## Units',
    meanings(catalogue.units),
    '## Gates',
    'Besides what somebody may see, these decide whether they may ask at all.',
    meanings(catalogue.gates),
  ];
  return `${parts.join('\n\n')}\n`;
}

const heading = `# Metrics

Every metric with its definition. Made from the catalogue by \`npm run docs\`; the same as data is at \`GET /catalogue\`.
[How to ask](asking.md) stands on a page of its own, and so does [how clocks and deployments are derived](derivation.md).

\`{aggregation}\` in the name of a column stands for the aggregation that is asked for, which such metrics need. A date field
may be written with or without the prefix of its table; the first one is the default. An arrow says whether a lower or a
higher number is the better one, where that can be said.`;

/** Metrics that are asked in the same way stand together. */
function domainParts(catalogue: CatalogueDocument, domain: string): string[] {
  const groups = new Map<string, MetricEntry[]>();
  for (const metric of catalogue.metrics.filter((one) => one.domain === domain)) {
    const { table, date_fields, filters, gate } = metric;
    const key = JSON.stringify([table, date_fields, filters, gate]);
    groups.set(key, [...(groups.get(key) ?? []), metric]);
  }
  return [...groups.values()].flatMap((metrics) => [askedHow(metrics), metricTable(metrics)]);
}

function askedHow([metric]: readonly MetricEntry[]): string {
  if (!metric) return '';
  const { table, date_fields, filters, gate } = metric;
  const sentences = [
    table === null ? 'Asked of no table.' : `Asked of \`${table}\`.`,
    ...(date_fields.length === 0 ? [] : [`Date fields: ${codes(date_fields.map(({ name }) => name))}.`]),
    `Filters: ${codes(filters)}.`,
    ...(gate === null ? [] : [`Gate: [${gate}](#gates).`]),
  ];
  return sentences.join(' ');
}

const arrows = { lower: ' ↓', higher: ' ↑' } as const;

function metricTable(metrics: readonly MetricEntry[]): string {
  const rows = metrics.map(({ name, columns, unit, better, meaning, always_grouped_by }) => {
    const grouped = always_grouped_by.length === 0 ? '' : ` Always grouped by ${codes(always_grouped_by)}.`;
    return `| \`${name}\` | ${codes(columns)} | ${unit ?? ''}${better === null ? '' : arrows[better]} | ${meaning}${grouped} |`;
  });
  return ['| Metric | Column | Unit | Definition |', '|---|---|---|---|', ...rows].join('\n');
}

function filterParts({ filters }: CatalogueDocument): string[] {
  const rows = filters.map(({ name, form, meaning, one_of, aliases }) => {
    const closed = one_of === null ? '' : ` One of ${codes(one_of.map(String))}.`;
    const others = aliases.length === 0 ? '' : ` Also ${codes(aliases)}.`;
    return `| \`${name}\` | ${form} | ${meaning}${closed}${others} |`;
  });
  return ['## Filters', ['| Filter | Takes | Meaning |', '|---|---|---|', ...rows].join('\n')];
}

function groupParts({ tables }: CatalogueDocument): string[] {
  const asked = tables.filter(({ metrics }) => metrics.length > 0);
  const rows = asked.map(({ name, key, group_columns }) => {
    return `| \`${name}\` | ${codes(key)} | ${codes(group_columns.map((column) => column.name))} |`;
  });
  return [
    '## Columns to group by',
    'Grouping the count metric of a table by its key lists its records. What the columns mean stands in [records](records.md).',
    ['| Table | Key | Columns |', '|---|---|---|', ...rows].join('\n'),
  ];
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function meanings(entries: readonly { readonly name: string; readonly meaning: string }[]): string {
  return entries.map(({ name, meaning }) => `- \`${name}\`: ${meaning}`).join('\n');
}
