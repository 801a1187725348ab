import { type Principal, visibilityNameOf } from '../access/principal.ts';
import { filters, plainFilterSchema } from '../catalogue/filters.ts';
import { groupColumnsOf } from '../catalogue/group-columns.ts';
import type { Metric } from '../catalogue/metric.ts';
import { dateDetails, metrics } from '../catalogue/metrics/all-metrics.ts';
import { type RequestField, singleFields, windowFields } from '../catalogue/request-fields.ts';
import { rowReader } from '../query/answer-columns.ts';
import type { MetricAnswer, Served } from '../query/collect-answer.ts';
import { recordKey, rowsMetric } from '../query/explain.ts';
import { dataMeta } from '../query/shape/results.ts';
import { Refusal } from '../refusal.ts';
import { maxNameLength } from '../text-limits.ts';
import { metricArgument, metricIn, type NamedQuestion, refuseOthers } from './arguments.ts';
import type { Tool, ToolAnswer, ToolArguments, ToolCaller, ToolParts } from './tool.ts';
import { refuseUnknownNames } from './unknown-names.ts';

type Schema = Readonly<Record<string, unknown>>;

function fieldSchema({ kind, meaning, words, spellings, minimum, maximum }: RequestField): Schema {
  const described = meaning === undefined ? {} : { description: meaning };
  switch (kind) {
    case 'filters':
      return filtersSchema;
    case 'texts':
      return { type: 'array', items: { type: 'string', maxLength: maxNameLength }, ...described };
    case 'word':
      return { type: 'string', enum: spellings ?? words, ...described };
    case 'integer':
      return { type: 'integer', minimum, maximum, ...described };
    case 'number':
    case 'boolean':
      return { type: kind, ...described };
    default:
      return { type: 'string', maxLength: maxNameLength, ...described };
  }
}

const filtersSchema: Schema = {
  type: 'object',
  description:
    'Which rows. Rows match any value of a filter and every filter. start_date is needed by every metric but those of people. describe_metric lists the filters of a metric.',
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(Object.entries(windowFields).map(([name, field]) => [name, fieldSchema(field)])),
    ...Object.fromEntries(Object.entries(filters).map(([name, declaration]) => [name, plainFilterSchema(declaration)])),
  },
};

/** The fields of the body that one metric is asked with, by name: the same as over HTTP. */
const questionProperties: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(singleFields).map(([name, field]) => [name, fieldSchema(field)]),
);

const properties = { ...metricArgument, ...questionProperties };
const required = ['metric', 'filters'];

export const queryMetric: Tool = {
  title: 'Query a metric',
  description:
    'Asks one metric over a window of time, filtered and grouped. Durations are in seconds, rates are from 0 to 1. With date_level one row for each bucket and group, with include_previous_period also the value of the period before and a verdict: call something a change only where it is up or down. With time_series_data one row for each series. Where the window has no value, nearest has the days of the nearest rows that have one. The caller sees the rows that their role allows.',
  properties,
  required,
  answer: async (parts, caller, given) =>
    answerOf(await asked(parts, caller, metricIn(given), 'single'), caller.principal),
};

export const explainMetric: Tool = {
  title: 'Explain a metric',
  description:
    'How the number that query_metric gives for the same arguments was computed: its definition, what is read step by step, how many values went into it and why others did not, how fresh they are, and the nearest days with data when there are none.',
  properties,
  required,
  answer: async (parts, caller, given) => {
    const { answer, unmatched } = await asked(parts, caller, metricIn(given), 'explain');
    // The statement and its parameters are for those who know the tables.
    const { sql: _sql, parameters: _parameters, ...explanation } = answer.document as Record<string, unknown>;
    return { rows: [explanation], notes: unmatched ? { unmatched_filters: unmatched } : {} };
  },
};

/** The answer to a question; a question that names somebody or something unknown is refused. */
async function asked<W extends 'single' | 'explain'>(
  parts: ToolParts,
  caller: ToolCaller,
  { name, body }: NamedQuestion,
  way: W,
): Promise<Awaited<ReturnType<ToolParts['metrics'][W]>>> {
  // Agents speak of changes: what may be said of each comes with it.
  const showsVerdict = way === 'single' && body.include_previous_period === true && body.time_series_data !== true;
  const { principal, ticket } = caller;
  const options = { ticket, ...(showsVerdict && name !== dateDetails ? { showsVerdict } : {}) };
  const served = await parts.metrics[way](principal, name, body, options);
  await refuseUnknownNames(parts, caller, served.unmatched);
  return served as Awaited<ReturnType<ToolParts['metrics'][W]>>;
}

/** Without the fields that would make groups, buckets or series of the records. */
const rowsProperties = Object.fromEntries(
  Object.entries(properties).filter(([name]) => !/^(?:aggregation|date_level|time_series|include)/.test(name)),
);

export const listRows: Tool = {
  title: 'List the records behind a metric',
  description:
    'Lists records of the table that a metric is computed from, one row for each: pull requests for cycle-time, deployments for change-failure-rate. group_by names the columns to show besides the key of the record. describe_metric lists them.',
  properties: rowsProperties,
  required,
  answer: async (parts, caller, given) => {
    const { name, body } = metricIn(given);
    const metric = metrics.get(name);
    if (!metric) throw new Refusal('bad-input', `${name} is computed from the calendar alone: it has no records.`);
    // Every caller may see the records, but one that may not ask the metric learns nothing from them.
    parts.metrics.admit(caller.principal, name);
    refuseOthers(given, Object.keys(rowsProperties));
    const question = { name: rowsMetric(metric).name, body: rowsBody(metric, body) };
    return answerOf(await asked(parts, caller, question, 'single'), caller.principal);
  },
};

/** Where the caller names no columns: what tells one record from another. */
const tellingColumns = /^(?:.*_title|title|name|repository|repo_name|.*_state|.*_status|status|.*_url)$/;

function rowsBody(metric: Metric, body: ToolArguments): ToolArguments {
  const { table, dates } = metric;
  const { group_by: asked, date_field = dates[0], ...rest } = body;
  const telling = [...groupColumnsOf(table).keys()].filter((column) => tellingColumns.test(column));
  const shown = asked ?? [...telling, ...dates.slice(0, 1)];
  return {
    ...rest,
    group_by: Array.isArray(shown) ? [...new Set([...recordKey(table), ...shown])] : shown,
    ...(date_field === undefined ? {} : { date_field }),
  };
}

/** The parts of a document of results, or of a chart. */
interface AnsweredDocument {
  readonly results?: readonly object[];
  readonly series?: readonly object[];
  readonly categories?: readonly string[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

function answerOf({ answer, unmatched, suppressed, extent }: Served<MetricAnswer>, principal: Principal): ToolAnswer {
  const notes = {
    ...dataMeta(extent),
    visibility: visibilityNameOf(principal),
    ...(unmatched ? { unmatched_filters: unmatched } : {}),
    ...(suppressed === undefined ? {} : { suppressed }),
    ...(answer.nearest ? { nearest: answer.nearest } : {}),
  };
  const { total } = answer;
  if (answer.form === 'rows') return { rows: answer.rows.map(rowReader(answer.columns)), total, notes };
  const { results, series = [], categories, meta } = answer.document as AnsweredDocument;
  // The filters are what the agent has just written.
  const { filters: _filters, ...window } = meta ?? {};
  return { rows: results ?? series, total, notes: { ...window, ...(categories ? { categories } : {}), ...notes } };
}
