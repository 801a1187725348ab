import { type FactTable, factTableNames } from '../../catalogue/tables/tables.ts';
import type { HistoryRecord } from './history-record.ts';

export interface HistoryBatch {
  /** In the order in which tables are filled: parents before their parts. */
  readonly tables: readonly { readonly table: FactTable; readonly records: readonly object[] }[];
}

const emptyTables = () => Object.fromEntries(factTableNames.map((name) => [name, []])) as unknown as Tables;
type Tables = Record<FactTable, object[]>;

/** Collects the records of all tables until there are enough for a batch. */
export class Weaver {
  #tables = emptyTables();
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  add<T extends FactTable>(table: T, record: HistoryRecord<T>): void {
    this.#tables[table].push(record as object);
    this.#rows += 1;
  }

  /** Everything collected so far. Taken only between one parent and the next, so that no part is left without. */
  take(): HistoryBatch {
    const filled = this.#tables;
    this.#tables = emptyTables();
    this.#rows = 0;
    const tables = factTableNames.map((table) => ({ table, records: filled[table] }));
    return { tables: tables.filter(({ records }) => records.length > 0) };
  }
}
