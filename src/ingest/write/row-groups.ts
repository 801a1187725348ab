import type { Row } from '../../catalogue/table.ts';

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

export function largestOf(values: readonly (number | string)[]): number | string | null {
  return values.reduce<number | string | null>((most, value) => (most === null || value > most ? value : most), null);
}
