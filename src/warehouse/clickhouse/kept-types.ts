import { dayNumber, dayOfNumber } from '../../calendar.ts';
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

/** From a row into the column. */
export const arriving = (type: FieldType, value: Value): Value =>
  type === 'date' && typeof value === 'string' ? dayNumber(value) : value;

/** From the column into a row. */
export const leaving = (type: FieldType, value: Value): Value =>
  type === 'date' && typeof value === 'number' ? dayOfNumber(value) : value;

/** A name as the engine takes it, whatever characters it has. */
export const quotedName = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
