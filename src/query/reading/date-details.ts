import { TimeZone } from '../time-zone.ts';
import { type DateLevel, dateLevels, type Window, windowBetween } from '../window.ts';
import { isObject, kindOf, optional, readBody, readText, readWord, refuse } from './body.ts';
import { windowFilters } from './filters.ts';
import { type Asker, singleFields } from './metric-request.ts';

/** The periods of a window. It takes the common body, of which little matters. */
export function readDateDetails(
  value: unknown,
  { principal, now }: Asker,
): { readonly window: Window; readonly level: DateLevel; readonly zone: TimeZone } {
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
  return {
    window: windowBetween({ start, end: optional(filters, 'end_date', readText) }, zone, now),
    level: optional(body, 'date_level', (level, field) => readWord(level, field, dateLevels)) ?? 'day',
    zone,
  };
}
