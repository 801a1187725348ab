import { type DateLevel, dateLevels, TimeZone } from '../../calendar.ts';
import { dateDetailColumns } from '../date-details.ts';
import type { OrderBy } from '../plan.ts';
import { rowsMost } from '../request.ts';
import { type Window, windowBetween } from '../window.ts';
import {
  type Body,
  isObject,
  kindOf,
  optional,
  readBody,
  readText,
  readTexts,
  readTruth,
  readWord,
  refuse,
  shown,
} from './body.ts';
import { windowFilters } from './filters.ts';
import { type Asker, readLimit, singleFields } from './metric-request.ts';

export interface AskedPeriods {
  readonly window: Window;
  readonly level: DateLevel;
  readonly zone: TimeZone;
  readonly order: OrderBy | undefined;
  readonly limit: number;
}

/** The periods of a window. It takes the common body; what is no matter of periods is checked, and makes no difference. */
export function readDateDetails(value: unknown, { principal, now }: Asker): AskedPeriods {
  const body = readBody(value, singleFields);
  const { filters } = body;
  if (!isObject(filters))
    throw refuse(`filters must be an object such as {"start_date": "2024-01-01"}, not ${kindOf(filters ?? null)}.`);
  const unknown = Object.keys(filters).find((name) => !windowFilters.some((known) => known === name));
  if (unknown !== undefined) {
    throw refuse(
      `date-details cannot be filtered by '${unknown}'. Filters of date-details: ${windowFilters.join(', ')}.`,
    );
  }
  const start = optional(filters, 'start_date', readText);
  if (start === undefined) throw refuse('filters.start_date is missing: the first day, such as 2024-01-31.');
  const zone = TimeZone.named(principal.timeZone);
  const groupBy = optional(body, 'group_by', readTexts) ?? [];
  if (groupBy[0] !== undefined)
    throw refuse(`date-details has no columns to group by, so not '${shown(groupBy[0])}' either.`);
  for (const field of ['time_series_data', 'include_previous_period']) optional(body, field, readTruth);
  const level = optional(body, 'date_level', (given, field) => readWord(given, field, dateLevels)) ?? 'day';
  return {
    window: windowBetween({ start, end: optional(filters, 'end_date', readText) }, zone, now),
    level,
    zone,
    order: readOrder(body, level),
    limit: optional(body, 'limit', readLimit) ?? rowsMost,
  };
}

function readOrder(body: Body, level: DateLevel): OrderBy | undefined {
  const direction = optional(body, 'order_direction', (given, field) =>
    readWord(given, field, ['asc', 'desc'] as const),
  );
  const column = optional(body, 'order_by', readText);
  if (column === undefined) return undefined;
  const names = dateDetailColumns(level).map(({ name }) => name);
  if (names.includes(column)) return { column, direction: direction ?? 'asc' };
  throw refuse(`'${shown(column)}' is not a column of this answer. It can be ordered by: ${names.join(', ')}.`);
}
