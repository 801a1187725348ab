import { asThroughApi, type LeftOutOfSource } from '../configured-sources/admit-restored-source.ts';
import type { StoreTable } from '../store/all-store-tables.ts';
import type { SourceRow } from '../store/source-rows.ts';
import { sources } from '../store/source-tables.ts';
import type { PlainRow } from './table-pages.ts';

/**
 * Decides about the sources in a backup that its reader may have edited. It examines them while the backup is read for
 * the first time: this resolves names, and no transaction has to wait for that.
 */
export class RestoredSources {
  readonly leftOut: LeftOutOfSource[] = [];
  readonly #sourceHosts: readonly string[];
  /** By identifier; undefined where the whole source stays out. One that is not here comes back as it was. */
  readonly #examined = new Map<unknown, SourceRow | undefined>();
  readonly #dropped = new Map<StoreTable, number>();

  constructor(sourceHosts: readonly string[]) {
    this.#sourceHosts = sourceHosts;
  }

  async examine(table: StoreTable, rows: readonly PlainRow[]): Promise<void> {
    if (table === sources) {
      for (const row of rows as readonly unknown[] as readonly SourceRow[]) {
        const admitted = await asThroughApi(row, this.#sourceHosts);
        this.#examined.set(row.id, admitted.row);
        this.leftOut.push(...admitted.leftOut);
      }
    }
    const stays = rows.filter((row) => this.#staysOut(table, row)).length;
    if (stays > 0) this.#dropped.set(table, this.droppedOf(table) + stays);
  }

  /** The rows as they come back, without those of sources that stay out. */
  admitted(table: StoreTable, rows: readonly PlainRow[]): readonly PlainRow[] {
    const kept = rows.filter((row) => !this.#staysOut(table, row));
    return table === sources ? kept.map((row) => this.#examined.get(row.id) ?? row) : kept;
  }

  droppedOf(table: StoreTable): number {
    return this.#dropped.get(table) ?? 0;
  }

  get droppedRows(): number {
    return [...this.#dropped.values()].reduce((sum, rows) => sum + rows, 0);
  }

  #staysOut(table: StoreTable, row: PlainRow): boolean {
    const id = table === sources ? row.id : row.source_id;
    return this.#examined.has(id) && this.#examined.get(id) === undefined;
  }
}
