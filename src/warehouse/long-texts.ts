import type { FieldType } from '../catalogue/record.ts';
import { storedColumns, type Table } from '../catalogue/table.ts';

const longTypes: ReadonlySet<FieldType> = new Set(['json', 'text[]']);

/** Whether texts of a column may be megabytes each. */
export function isLong(table: Table, column: string): boolean {
  const type = storedColumns(table).get(column);
  return (type !== undefined && longTypes.has(type)) || table.columns[column]?.isLong === true;
}
