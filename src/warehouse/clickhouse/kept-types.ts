import type { FieldType } from '../../catalogue/record.ts';
import type { Value } from '../../catalogue/table.ts';

/**
 * Times are seconds and dates are days since 1970: the engine's own dates end in 1900 and 2299, and beyond that they are
 * cut without a word.
 */
export const keptTypes: Readonly<Record<FieldType, string>> = {
  text: 'String',
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  timestamp: 'Int64',
  date: 'Int32',
  duration: 'Int64',
  'text[]': 'String',
  json: 'String',
};

const msOfDay = 86_400_000;

export const dayOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / msOfDay);
const dateOf = (day: number): string => new Date(day * msOfDay).toISOString().slice(0, 10);

/** From a row into the column. */
export const arriving = (type: FieldType, value: Value): Value =>
  type === 'date' && typeof value === 'string' ? dayOf(value) : value;

/** From the column into a row. */
export const leaving = (type: FieldType, value: Value): Value =>
  type === 'date' && typeof value === 'number' ? dateOf(value) : value;
