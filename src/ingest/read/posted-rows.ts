import { type PostedTableName, postedTableNames } from '../../catalogue/posted-tables.ts';
import type { ConvertedRow } from '../../sources/posthook/convert.ts';
import { Spool } from './spool.ts';

/** A row of the hook that can be read, and where it stood. */
export interface PostedRow extends ConvertedRow {
  readonly table: PostedTableName;
  readonly line: number;
}

interface Part {
  readonly table: PostedTableName;
  readonly bytes: number;
  readonly rows: () => Promise<readonly PostedRow[]> | readonly PostedRow[];
}

/** The rows that stay in memory until a payload has come to its end, and are handed over as one change. */
const limits = { rows: 10_000, bytes: 8 * 1024 * 1024 };

/**
 * The rows of a payload until its end is known to be good. Tables may come in any order and take effect in theirs, so
 * all of them have to wait: few in memory, very many in a file that has no name.
 */
export class WaitingRows {
  readonly #folder: string;
  readonly #parts: Part[] = [];
  readonly #inMemory = { rows: 0, bytes: 0 };
  #spool: Spool<readonly PostedRow[]> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Takes some rows of one table, few enough to be written to a file and read again quickly. */
  async add(table: PostedTableName, rows: readonly PostedRow[], bytes: number): Promise<void> {
    if (this.#inMemory.rows < limits.rows && this.#inMemory.bytes < limits.bytes) {
      this.#inMemory.rows += rows.length;
      this.#inMemory.bytes += bytes;
      this.#parts.push({ table, bytes, rows: () => rows });
      return;
    }
    this.#spool ??= await Spool.open(this.#folder);
    this.#parts.push({ table, bytes, rows: await this.#spool.add(rows) });
  }

  /** All rows, in the order in which their tables take effect. */
  async *pieces(): AsyncGenerator<readonly PostedRow[]> {
    let piece: PostedRow[] = [];
    let size = 0;
    for (const table of postedTableNames) {
      for (const part of this.#parts) {
        if (part.table !== table) continue;
        for (const row of await part.rows()) piece.push(row);
        size += part.bytes;
        if (piece.length < limits.rows && size < limits.bytes) continue;
        yield piece;
        piece = [];
        size = 0;
      }
    }
    if (piece.length > 0) yield piece;
  }

  async close(): Promise<void> {
    await this.#spool?.close();
  }
}
