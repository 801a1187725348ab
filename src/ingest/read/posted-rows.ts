import { type PostedTableName, postedTableNames } from '../../catalogue/posthook-payload.ts';
import type { ConvertedRow } from '../../sources/posthook/convert.ts';
import { Spool } from './spool.ts';

/** A row that can be read, and where it stood. */
export interface PostedRow extends ConvertedRow {
  readonly line: number;
}
export type PostedRows = { readonly [N in PostedTableName]?: readonly PostedRow[] };

interface PieceLimits {
  /** Rows and bytes that are handed over as one change. */
  readonly rows: number;
  readonly bytes: number;
}

interface SizedRows {
  readonly rows: PostedRow[];
  bytes: number;
}

interface TableRows {
  /** In memory, and behind them those in a file. */
  readonly parts: SizedRows[];
  open: SizedRows;
  spool?: Spool<SizedRows>;
}

/** Rows that are written to a file and read again together: few enough to be quick. */
const partLimits: PieceLimits = { rows: 500, bytes: 512 * 1024 };
/** Rows that stay in memory until a payload has come to its end: more than a hook has to say at once. */
const heldLimits: PieceLimits = { rows: 10_000, bytes: 8 * 1024 * 1024 };

/**
 * The rows of a payload until its end is known to be good. Tables may come in any order and take effect in theirs, so
 * all of them have to wait: few in memory, very many in files that have no name.
 */
export class WaitingRows {
  readonly #folder: string;
  readonly #tables = new Map<PostedTableName, TableRows>();
  readonly #held = { rows: 0, bytes: 0 };

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Nothing to wait for, mostly. */
  add(table: PostedTableName, row: PostedRow, bytes: number): Promise<void> | undefined {
    const rows = this.#of(table);
    rows.open.rows.push(row);
    rows.open.bytes += bytes;
    return isFull(rows.open, partLimits) ? this.#close(rows) : undefined;
  }

  /** All rows, in the order in which their tables take effect. */
  async *pieces(limits: PieceLimits): AsyncGenerator<PostedRows> {
    let piece: { [N in PostedTableName]?: PostedRow[] } = {};
    const size = { rows: 0, bytes: 0 };
    for (const table of postedTableNames) {
      for await (const { rows, bytes } of this.#partsOf(table)) {
        const some = piece[table] ?? [];
        piece[table] = some;
        for (const row of rows) some.push(row);
        size.rows += rows.length;
        size.bytes += bytes;
        if (size.rows < limits.rows && size.bytes < limits.bytes) continue;
        yield piece;
        piece = {};
        size.rows = 0;
        size.bytes = 0;
      }
    }
    if (size.rows > 0) yield piece;
  }

  async close(): Promise<void> {
    for (const { spool } of this.#tables.values()) await spool?.close();
    this.#tables.clear();
  }

  #of(table: PostedTableName): TableRows {
    const known = this.#tables.get(table);
    if (known) return known;
    const made: TableRows = { parts: [], open: { rows: [], bytes: 0 } };
    this.#tables.set(table, made);
    return made;
  }

  async #close(rows: TableRows): Promise<void> {
    const part = rows.open;
    rows.open = { rows: [], bytes: 0 };
    if (!rows.spool && this.#held.rows < heldLimits.rows && this.#held.bytes < heldLimits.bytes) {
      rows.parts.push(part);
      this.#held.rows += part.rows.length;
      this.#held.bytes += part.bytes;
      return;
    }
    rows.spool ??= await Spool.open<SizedRows>(this.#folder);
    await rows.spool.add(part);
  }

  async *#partsOf(table: PostedTableName): AsyncGenerator<SizedRows> {
    const rows = this.#tables.get(table);
    if (!rows) return;
    yield* rows.parts;
    if (rows.spool) yield* rows.spool.parts();
    if (rows.open.rows.length > 0) yield rows.open;
  }
}

const isFull = ({ rows, bytes }: SizedRows, limits: PieceLimits): boolean =>
  rows.length >= limits.rows || bytes >= limits.bytes;
