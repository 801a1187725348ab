import type { Columns } from '../../catalogue/column.ts';
import type { FieldType, Json } from '../../catalogue/record.ts';
import type { Table } from '../../catalogue/table.ts';
import type { FactTable, factTables } from '../../catalogue/tables/tables.ts';

/** A value as a record brings it, before it is read: a timestamp is ISO 8601 with Z. */
interface BroughtAs extends Record<FieldType, unknown> {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: string;
  readonly date: string;
  readonly duration: number;
  readonly 'text[]': readonly string[];
  readonly json: Json;
}

type Brought<C extends Columns> = {
  readonly [N in keyof C as C[N] extends { origin: 'derived' | 'inherited' | 'read' } ? never : N & string]?:
    | BroughtAs[C[N]['type']]
    | null;
};

/** A record of a table as it arrives. Only columns that records may bring are in it. */
export type HistoryRecord<T extends FactTable> = (typeof factTables)[T] extends Table<infer C> ? Brought<C> : never;
