import { type DateLevel, TimeZone } from '../../calendar.ts';
import type { Metric } from '../../catalogue/metric.ts';
import { dateDetails } from '../../catalogue/metrics/all-metrics.ts';
import { maxRows, orderFields, periodFields, windowFields, windowFilters } from '../../catalogue/request-fields.ts';
import { dateDetailColumns, type PeriodsRequest } from '../date-details.ts';
import type { OrderBy } from '../plan.ts';
import { readComparedWindow } from '../previous-period.ts';
import { windowBetween } from '../request-window.ts';
import { type Body, fieldsOf, isObject, kindOf, readBody, refuse, shown } from './body.ts';
import { findMetric, type QuestionContext } from './metric-request.ts';

/** The periods of a window. It takes the common body: fields that do not concern periods are checked and have no effect. */
export function readDateDetails(value: unknown, context: QuestionContext): PeriodsRequest {
  const { principal, now } = context;
  // First whether they may ask the metric: who may not learns nothing else.
  const metric = readMetric(isObject(value) ? value : readBody(value, periodFields), context);
  const body = readBody(value, periodFields);
  const { filters } = body;
  if (!isObject(filters))
    throw refuse(`filters must be an object such as {"start_date": "2024-01-01"}, not ${kindOf(filters ?? null)}.`);
  const unknown = Object.keys(filters).find((name) => !windowFilters.some((known) => known === name));
  if (unknown !== undefined) {
    throw refuse(
      `date-details cannot be filtered by '${unknown}'. Filters of date-details: ${windowFilters.join(', ')}.`,
    );
  }
  const ofWindow = fieldsOf(windowFields, filters);
  const start = ofWindow('start_date');
  if (start === undefined) throw refuse('filters.start_date is missing: the first day, such as 2024-01-31.');
  const zone = TimeZone.named(principal.timeZone);
  const field = fieldsOf(periodFields, body);
  const groupBy = field('group_by') ?? [];
  if (groupBy[0] !== undefined)
    throw refuse(`date-details has no columns to group by, so not '${shown(groupBy[0])}' either.`);
  field('time_series_data');
  field('include_previous_period');
  const level = field('date_level') ?? 'day';
  return {
    metric,
    window: windowBetween({ start, end: ofWindow('end_date') }, zone, now),
    chosenBefore: readComparedWindow(body, { isCompared: true, zone, now }),
    level,
    zone,
    order: readOrder(body, level),
    limit: field('limit') ?? maxRows,
  };
}

const defaultMetric = 'pull-requests-count';

function readMetric(body: Body, context: QuestionContext): Metric {
  const name = fieldsOf(periodFields, body)('metric') ?? defaultMetric;
  if (name === dateDetails)
    throw refuse(`metric names whose data is_complete is about, such as ${defaultMetric}, and not ${dateDetails}.`);
  return findMetric(name, context);
}

function readOrder(body: Body, level: DateLevel): OrderBy | undefined {
  const field = fieldsOf(orderFields, body);
  const direction = field('order_direction');
  const column = field('order_by');
  if (column === undefined) return undefined;
  const names = dateDetailColumns(level).map(({ name }) => name);
  if (names.includes(column)) return { column, direction: direction ?? 'asc' };
  throw refuse(`'${shown(column)}' is not a column of this answer. It can be ordered by: ${names.join(', ')}.`);
}
