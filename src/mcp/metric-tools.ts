import type { CatalogueDocument, MetricEntry } from '../catalogue/catalogue-document.ts';
import { exampleQuestion } from '../catalogue/example-question.ts';
import { metricsCalled } from '../catalogue/synonyms.ts';
import { nearest } from '../nearest.ts';
import { catalogue } from '../query/date-details.ts';
import { metricArgument, metricIn, refuseOthers, searchArgument, searched } from './arguments.ts';
import type { Tool } from './tool.ts';

export const findMetrics: Tool = {
  title: 'Find metrics',
  description:
    'Finds metrics by words in their name, title, domain or meaning, such as "lead time" or "review": name, meaning, unit and whether an aggregation has to be chosen.',
  properties: searchArgument,
  answer: async (_parts, _caller, given) => {
    const matches = searched(given);
    const { metrics } = catalogue();
    const search = String(given.search);
    const meant = metricsCalled(search);
    const found = metrics.filter(
      ({ name, title, domain, meaning }) => meant.includes(name) || matches(name, title, domain, meaning),
    );
    if (found.length > 0) return { rows: found.map(inShort) };
    // What was meant as a name and mistyped.
    const near = nearest(
      search.trim().replace(/\s+/g, '-'),
      metrics.map(({ name }) => name),
    );
    return { rows: metrics.filter(({ name }) => near.includes(name)).map(inShort) };
  },
};

const inShort = ({ name, title, domain, meaning, unit, better, needs_aggregation, gate }: MetricEntry) => ({
  metric: name,
  title,
  domain,
  meaning,
  unit,
  better,
  needs_aggregation,
  gate,
});

export const describeMetric: Tool = {
  title: 'Describe a metric',
  description:
    'Everything about one metric: its definition and unit, the columns it can be grouped by, its filters, date fields and aggregations, who may ask it, and arguments for query_metric to begin with.',
  properties: metricArgument,
  required: ['metric'],
  answer: async ({ now }, _caller, given) => {
    const { name, body } = metricIn(given);
    refuseOthers(body, []);
    const document = catalogue();
    const rows = document.metrics
      .filter((metric) => metric.name === name)
      .map((metric) => ({
        ...described(metric, document),
        example: { metric: name, ...exampleQuestion(metric, now()) },
      }));
    return { rows };
  },
};

function described(metric: MetricEntry, { tables, filters, aggregations, date_levels, gates }: CatalogueDocument) {
  const { group_columns_of: _table, gate, ...entry } = metric;
  const table = tables.find(({ name }) => name === metric.table);
  return {
    ...entry,
    gate: gates.find(({ name }) => name === gate) ?? null,
    filters: filters
      .filter(({ name }) => metric.filters.includes(name))
      .map(({ name, meaning, one_of }) => ({ name, meaning, ...(one_of ? { one_of } : {}) })),
    group_columns: table?.group_columns ?? [],
    record_key: table?.key ?? [],
    aggregations: metric.needs_aggregation ? aggregations.map(({ name }) => name) : [],
    date_levels: metric.table !== null && metric.default_date_field === null ? [] : date_levels,
  };
}
