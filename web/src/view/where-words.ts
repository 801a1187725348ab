import { valueLabel } from '../../../src/catalogue/labels/shown-names.ts';
import type { Measure } from '../ask/metric-facts.ts';
import { weekdays } from '../ask/weekday-words.ts';
import { shown } from './format.ts';
import { words } from './record-cells.ts';

/** Which rows a panel lists, in words: `status failure`, `from 1h to 2h`, `Monday`. */
export function whereWords(where: Readonly<Record<string, string | null>>, measure: Measure): string[] {
  const { date_field, weekday, hour, moment, value_from, value_until, counted: _, ...columns } = where;
  const day = weekday && (weekdays[Number(weekday)] ?? weekday);
  const time = hour && `${hour.padStart(2, '0')}:00`;
  const [low, high] = [value_from, value_until].map((value) =>
    value == null ? undefined : shown(Number(value), measure),
  );
  return [
    ...(date_field ? [`by ${words(date_field)}`] : []),
    ...(day || time ? [[moment && words(moment), day, time].filter(Boolean).join(' ')] : []),
    ...(low && high ? [`from ${low} to ${high}`] : low ? [`${low} or more`] : high ? [`below ${high}`] : []),
    ...Object.entries(columns).map(
      ([column, value]) => `${words(column.replace(/^filter_/, ''))} ${listed(column, value)}`,
    ),
  ];
}

/** A filter holds its values as JSON. */
function listed(column: string, value: string | null): string {
  if (value === null) return 'none';
  if (!column.startsWith('filter_')) return valueLabel(column, value);
  return value.replace(/^\[|"|\]$/g, '').replaceAll(',', ', ');
}
