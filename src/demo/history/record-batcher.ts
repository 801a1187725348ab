import type { ReadValues } from '../../catalogue/record.ts';
import type { Columns, Table } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, type factTables } from '../../catalogue/tables/all-tables.ts';
import { addToList } from '../../lists-by-key.ts';

/** A value as a record brings it, before it is read: a timestamp is ISO 8601 with Z. */
type BroughtValues = Omit<ReadValues, 'timestamp'> & { readonly timestamp: string };

type Brought<C extends Columns> = {
  readonly [N in keyof C as C[N] extends { origin: 'derived' | 'inherited' | 'read' } ? never : N & string]?:
    | BroughtValues[C[N]['type']]
    | null;
};

/** A record of a table as it arrives. Only columns that records may bring are in it. */
export type HistoryRecord<T extends FactTable> = (typeof factTables)[T] extends Table<infer C> ? Brought<C> : never;

/** Tables in the order in which they are filled: parents before their parts. */
export type HistoryBatch = ReturnType<RecordBatcher['takeBatch']>;

export class RecordBatcher {
  #tables = new Map<FactTable, object[]>();
  rows = 0;

  add<T extends FactTable>(table: T, record: HistoryRecord<T>): void {
    addToList(this.#tables, table, record as object);
    this.rows += 1;
  }

  /** Everything collected so far. Taken only between one parent and the next, so that no part is left without. */
  takeBatch() {
    const order = [...this.#tables].toSorted(([a], [b]) => factTableNames.indexOf(a) - factTableNames.indexOf(b));
    this.#tables = new Map();
    this.rows = 0;
    return { tables: order.map(([table, records]) => ({ table, records })) };
  }
}
