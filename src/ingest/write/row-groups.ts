import type { Row } from '../../catalogue/table.ts';
import type { ColumnMeasure } from '../../warehouse/intake-port.ts';
import { medianOf } from '../derive/complexity.ts';

/** Some columns of a row. */
export function picked(row: Row, columns: readonly string[]): Row {
  const some: Record<string, Row[string]> = {};
  for (const column of columns) some[column] = row[column] ?? null;
  return some;
}

/** The values of some columns as one text, different for each group: no stored text holds what ends a value. */
export function groupOf(row: Row, by: readonly string[]): string {
  let group = '';
  for (const column of by) {
    const value = row[column] ?? null;
    group += typeof value === 'string' ? `"${value}\0` : `${value}\0`;
  }
  return group;
}

/** What a measure says of some values; null where there are none. */
export function measuredOf(measure: ColumnMeasure, values: readonly (number | string)[]): number | string | null {
  if ('median' in measure) return medianOf(values.map(Number));
  const isFurther = (value: number | string, than: number | string) => ('min' in measure ? value < than : value > than);
  return values.reduce<number | string | null>(
    (known, value) => (known === null || isFurther(value, known) ? value : known),
    null,
  );
}
