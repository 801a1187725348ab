import type { Principal } from '../../access/principal.ts';
import { passGate } from '../../access/scope.ts';
import { dateLevels, TimeZone } from '../../calendar.ts';
import { groupColumnsOf } from '../../catalogue/group-columns.ts';
import { type Metric, takesAggregation, valueColumnsOf } from '../../catalogue/metric.ts';
import { dateDetails, metrics } from '../../catalogue/metrics/all-metrics.ts';
import {
  maxRows,
  metricFields,
  multipleFields,
  orderFields,
  sharedFields,
  singleFields,
  windowFields,
} from '../../catalogue/request-fields.ts';
import { columnWords, metricWords } from '../../catalogue/synonyms.ts';
import { type Aggregation, percentileNames, plainAggregations } from '../../expression/expression.ts';
import { alternatives, didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import { answerColumns, type ColumnsRequest } from '../answer-columns.ts';
import type { OrderBy } from '../plan.ts';
import { comparedOrderNames, readComparedWindow } from '../previous-period.ts';
import type { AnswerForm, CountedN, MetricRequest, RequestedMetric } from '../request.ts';
import { type Window, windowBetween } from '../request-window.ts';
import { type Body, fieldsOf, isObject, readBody, readField, refuse, shown } from './body.ts';
import { readFilters } from './read-filters.ts';

/** The caller, and the time of the request. */
export interface QuestionContext {
  readonly principal: Principal;
  readonly now: Date;
  /** Whether every value is to come with n: how many rows have it, or how many values it is made of. */
  readonly showsN?: CountedN | undefined;
  /** Whether every value is to come with what may be said of its change. */
  readonly showsVerdict?: boolean | undefined;
}

/** The metric of that name. A caller who may not ask it learns nothing else about it. */
export function findMetric(name: string, { principal }: QuestionContext): Metric {
  const metric = metricNamed(name);
  passGate(principal, metric.gate);
  return metric;
}

function metricNamed(name: string): Metric {
  const metric = metrics.get(name);
  if (metric) return metric;
  throw noSuchMetric(name, 'GET /catalogue and the page /docs list all metrics.');
}

/** Paths below `/metrics/` that are no metrics, and what to ask instead. */
const operations: Readonly<Record<string, string>> = {
  benchmark: 'It compares one: ask, explain or draw the metric itself, as in /metrics/cycle-time/explain.',
  'get-multiple-metrics':
    'It asks several at once: explain or draw each of them by itself, as in /metrics/cycle-time/explain.',
};

/** The refusal of an unknown metric, with near names, or else where names can be found. */
export function noSuchMetric(name: string, elsewhere: string): Refusal {
  if (name === '')
    return new Refusal('not-found', `Metric '' does not exist: name one, such as cycle-time. ${elsewhere}`);
  const near = didYouMean(name, [...metrics.keys(), dateDetails], metricWords);
  const hint = Object.hasOwn(operations, name) ? ` ${operations[name]}` : near === '' ? ` ${elsewhere}` : near;
  return new Refusal('not-found', `Metric '${shown(name)}' does not exist.${hint}`);
}

/** A request for one metric. */
export function readSingle(metric: Metric, value: unknown, context: QuestionContext): MetricRequest {
  const body = readBody(value, singleFields);
  const asked = askMetric(metric, {
    aggregation: body.aggregation,
    dateField: body.date_field,
    minimumValue: body.metric_min_value,
    names: { aggregation: 'aggregation', dateField: 'date_field', minimumValue: 'metric_min_value' },
  });
  return readShared(body, [asked], false, context);
}

/** A request for several metrics. Their names are read first: a caller learns nothing of a metric they may not ask. */
export function readMultiple(value: unknown, context: QuestionContext): MetricRequest {
  const names = namesIn(value);
  const found = names.filter((name) => name !== dateDetails).map(metricNamed);
  for (const { gate } of found) passGate(context.principal, gate);
  if (found.length < names.length) throw refuse(`${dateDetails} can only be asked alone, at /metrics/${dateDetails}.`);
  const body = readBody(value, multipleFields);
  const of = (field: 'aggregations' | 'date_fields' | 'metric_min_values') => perMetric(body, field, names);
  const [aggregations, dateFields, minimumValues] = [of('aggregations'), of('date_fields'), of('metric_min_values')];
  const asked = found.map((metric) =>
    askMetric(metric, {
      aggregation: aggregations[metric.name],
      dateField: dateFields[metric.name],
      minimumValue: minimumValues[metric.name],
      names: {
        aggregation: `aggregations.${metric.name}`,
        dateField: `date_fields.${metric.name}`,
        minimumValue: `metric_min_values.${metric.name}`,
      },
    }),
  );
  return readShared(body, asked, true, context);
}

function namesIn(value: unknown): string[] {
  if (!isObject(value)) readBody(value, multipleFields);
  const names = isObject(value) ? value.metrics : undefined;
  if (names === undefined || names === null) {
    throw refuse('metrics is missing: a list of names such as ["pull-requests-count", "cycle-time"].');
  }
  const list = [...new Set(readField(multipleFields.metrics, names, 'metrics'))];
  if (list.length === 0) throw refuse('metrics must name at least one metric.');
  return list;
}

/** A value for each metric, none for one that was not asked for. */
function perMetric(
  body: Body,
  field: 'aggregations' | 'date_fields' | 'metric_min_values',
  names: readonly string[],
): Body {
  const given = fieldsOf(multipleFields, body)(field) ?? {};
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) {
      throw refuse(`${field} names '${shown(name)}', which is not among metrics.${didYouMean(name, names)}`);
    }
  }
  return given;
}

interface SentFields {
  readonly aggregation: unknown;
  readonly dateField: unknown;
  readonly minimumValue: unknown;
  readonly names: { readonly aggregation: string; readonly dateField: string; readonly minimumValue: string };
}

function askMetric(metric: Metric, { aggregation, dateField, minimumValue, names }: SentFields): RequestedMetric {
  const chosen = takesAggregation(metric) ? readAggregation(metric, aggregation, names.aggregation) : undefined;
  return {
    metric,
    aggregation: chosen,
    dateColumn: readDateField(metric, dateField, names.dateField),
    minimumValue: readMinimum(metric, minimumValue, names.minimumValue),
    values: valueColumnsOf(metric, chosen),
  };
}

/** A text is never too small. */
function readMinimum({ kind }: Metric, value: unknown, field: string): number {
  const minimum = readField(metricFields.metric_min_value, value, field) ?? metricFields.metric_min_value.default;
  return kind === 'text' ? 0 : minimum;
}

function readAggregation(metric: Metric, value: unknown, field: string): Aggregation {
  const aggregation = readField(metricFields.aggregation, value, field);
  if (aggregation) return aggregation;
  throw refuse(
    `${metric.name} needs an aggregation${field === 'aggregation' ? '' : `, in ${field}`}: ${alternatives(inCapitals(plainAggregations))}. It also takes ${inCapitals(percentileNames).join(', ')}.`,
  );
}

const inCapitals = (names: readonly string[]): string[] => names.map((name) => name.toUpperCase());

/** A metric without dates ignores the field. */
export function readDateField(metric: Metric, value: unknown, field: string): string | undefined {
  if (metric.dates.length === 0) return undefined;
  const name = readField(metricFields.date_field, value, field);
  if (name === undefined) return metric.dates[0];
  const column = Object.hasOwn(metric.dateNames, name) ? metric.dateNames[name] : undefined;
  if (column === undefined) {
    const known = Object.keys(metric.dateNames);
    const list = known.sort(
      (a, b) => metric.dates.indexOf(metric.dateNames[a] ?? '') - metric.dates.indexOf(metric.dateNames[b] ?? ''),
    );
    const hint = didYouMean(name, list);
    throw refuse(
      `'${shown(name)}' is not a date field of ${metric.name}.${hint} Valid date fields: ${list.join(', ')}.`,
    );
  }
  return column;
}

function readShared(
  body: Body,
  asked: readonly RequestedMetric[],
  isMultiple: boolean,
  { principal, now, showsN = false, showsVerdict = false }: QuestionContext,
): MetricRequest {
  const all = asked.map(({ metric }) => metric);
  const field = fieldsOf(sharedFields, body);
  const written = field('filters');
  if (!written) throw refuse('filters is missing: an object such as {"start_date": "2024-01-01"}.');
  const filters = readFilters(written, all);
  const zone = TimeZone.named(principal.timeZone);
  const level = field('date_level');
  const isSeries = field('time_series_data') ?? false;
  const isCompared = field('include_previous_period') ?? false;
  const form: AnswerForm = isSeries ? 'series' : isCompared ? 'results' : 'rows';
  if (showsVerdict) refuseUnlessCompared(form, isCompared);
  for (const metric of all) refuseWhatHasNoTime(metric, { level, isSeries, isCompared });
  if (isSeries) for (const metric of all) refuseTextSeries(metric);
  const groupBy = readGroupBy(body, all, principal);
  const bucketed = level ?? (isSeries ? 'month' : undefined);
  const shape = { metrics: asked, isMultiple, level: bucketed, groupBy, showsN: showsN || showsVerdict } as const;
  return {
    ...shape,
    showsN,
    showsVerdict,
    filters,
    zone,
    window: readWindow(written, all, zone, now),
    chosenBefore: readComparedWindow(body, { isCompared, zone, now }),
    form,
    durations: 'iso',
    order: isMultiple || isSeries ? undefined : readOrder(body, shape, form),
    limit: isMultiple || isSeries ? maxRows : (fieldsOf(orderFields, body)('limit') ?? maxRows),
  };
}

export function readWindow(written: Body, all: readonly Metric[], zone: TimeZone, now: Date): Window | undefined {
  // People are counted as they are now, whatever window is asked for.
  if (all.every(({ dates }) => dates.length === 0)) return undefined;
  const field = fieldsOf(windowFields, written);
  const start = field('start_date');
  if (start === undefined) throw refuse('filters.start_date is missing: the first day, such as 2024-01-31.');
  return windowBetween({ start, end: field('end_date') }, zone, now);
}

function refuseWhatHasNoTime(
  { name, dates }: Metric,
  {
    level,
    isSeries,
    isCompared,
  }: { readonly level: string | undefined; readonly isSeries: boolean; readonly isCompared: boolean },
): void {
  if (dates.length > 0) return;
  const asked = [
    ...(level === undefined ? [] : ['date_level']),
    ...(isSeries ? ['time_series_data'] : []),
    ...(isCompared ? ['include_previous_period'] : []),
  ];
  if (asked[0]) throw refuse(`${name} takes no ${asked[0]}: it tells how people are now, not over time. Leave it out.`);
}

function refuseUnlessCompared(form: AnswerForm, isCompared: boolean): void {
  if (form === 'results') return;
  throw refuse(
    isCompared
      ? 'verdict=true judges the changes of results, and a chart has no previous period: leave out time_series_data, or verdict.'
      : 'verdict=true judges the change since the period before: set include_previous_period to true, or leave out verdict.',
  );
}

function refuseTextSeries({ name, kind }: Metric): void {
  if (kind === 'text')
    throw refuse(`${name} answers with a text, which no chart can show. Leave out time_series_data.`);
}

/** Every column must exist in the table of every metric. Columns that a metric is always grouped by come last. */
function readGroupBy(body: Body, all: readonly Metric[], { minRespondents }: Principal): string[] {
  const given = fieldsOf(sharedFields, body)('group_by') ?? [];
  const columns = [...new Set([...given, ...all.flatMap(({ alwaysBy }) => alwaysBy)])];
  for (const { table } of all) {
    const known = groupColumnsOf(table);
    const [key] = table.key;
    if (minRespondents !== undefined && table.anonymous && key !== undefined && columns.includes(key)) {
      throw refuse(
        `Answers cannot be listed by ${key}: survey_privacy is anonymous in this organisation, so an answer has no identifier and is shown with those of its reporting group. Group by the question and the answer instead.`,
      );
    }
    const unknown = columns.find((name) => !known.has(name));
    if (unknown === undefined) continue;
    const names = [...known.keys()];
    const hint = levelHint(unknown) ?? didYouMean(unknown, names, columnWords);
    throw refuse(`'${shown(unknown)}' is not a column of ${table.name}.${hint} Valid columns: ${names.join(', ')}.`);
  }
  return columns;
}

/** Time is no column: buckets have a field of their own. */
function levelHint(name: string): string | undefined {
  const level = dateLevels.find((one) => [one, `${one}s`, `${one}_date`].includes(name.toLowerCase()));
  return level && ` For a row each ${level} write "date_level": "${level}".`;
}

function readOrder(body: Body, shape: ColumnsRequest, form: AnswerForm): OrderBy | undefined {
  const field = fieldsOf(orderFields, body);
  const direction = field('order_direction') ?? 'asc';
  const column = field('order_by');
  if (column === undefined) return undefined;
  const names = [...answerColumns(shape).map(({ name }) => name), ...(form === 'results' ? comparedOrderNames : [])];
  if (!names.includes(column)) {
    const hint = didYouMean(column, names);
    throw refuse(
      `'${shown(column)}' is not a column of this answer.${hint} It can be ordered by: ${names.join(', ')}.`,
    );
  }
  return { column, direction };
}
