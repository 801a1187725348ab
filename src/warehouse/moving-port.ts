import type { Readable } from 'node:stream';
import type { Table } from '../catalogue/table.ts';
import type { Stoppable } from './maintenance-port.ts';
/** Neighbouring rows of a table, by what an engine finds them with. */
export interface RowRange<Bound> {
  readonly from: Bound;
  /** Itself included. */
  readonly to: Bound;
  readonly rows: number;
  /** The bytes of texts that may be long. */
  readonly bytes: number;
}

/** The most rows and bytes of a portion, but for a range that has more by itself. */
export interface MaxPortion {
  readonly rows: number;
  readonly bytes: number;
}

/** Joins ranges that follow each other to portions: large ones make quick statements, and each has to fit into memory. */
export function joinRanges<Bound>(ranges: Iterable<RowRange<Bound>>, max: MaxPortion): RowRange<Bound>[] {
  const portions: RowRange<Bound>[] = [];
  for (const range of ranges) {
    const last = portions.at(-1);
    const [rows, bytes] = [(last?.rows ?? 0) + range.rows, (last?.bytes ?? 0) + range.bytes];
    if (last && rows <= max.rows && bytes <= max.bytes) {
      portions[portions.length - 1] = { from: last.from, to: range.to, rows, bytes };
    } else portions.push(range);
  }
  return portions;
}

export const defaultPortion: MaxPortion = { rows: 250_000, bytes: 64_000_000 };

/** How many rows a table has and what they are, whatever their order. Equal digests mean equal rows. */
export interface RowsDigest {
  readonly rows: number;
  readonly digest: string;
}

/**
 * Some rows of a table as a Parquet file, to be read once. Its columns have the names of the table's; times are whole
 * seconds and dates whole days since 1970, so that no engine's own dates are in between.
 */
export interface RowsPortion extends RowsDigest {
  readonly parquet: Readable;
}

export const noRows: RowsDigest = { rows: 0, digest: '0' };

/** The digest of rows that are apart: it is a sum. */
export const together = (one: RowsDigest, other: RowsDigest): RowsDigest => ({
  rows: one.rows + other.rows,
  digest: String(BigInt(one.digest) + BigInt(other.digest)),
});

export interface MovingOptions extends Stoppable {
  /** How much is read at once. */
  readonly portion?: MaxPortion | undefined;
}

/** Whole tables on their way from one engine to another: no row passes through this process as an object. */
export interface MovingPort {
  /**
   * Every engine reckons it in the same way: the sum of the lower halves of the MD5 of each row. A row is the text of its
   * values in the order of the catalogue, with U+001F between them and U+001E for a missing one. Times are seconds, dates
   * are days since 1970, and a fraction is the whole number that has its bits.
   */
  digest(organisationId: string, table: Table, options?: MovingOptions): Promise<RowsDigest>;
  /** All rows of one state, roughly in the order of the table. */
  rowsOut(organisationId: string, table: Table, options?: MovingOptions): AsyncGenerator<RowsPortion>;
  /** Fills a table that holds none of these rows, in one change: all of them or nothing. */
  rowsIn(organisationId: string, table: Table, portions: AsyncIterable<RowsPortion>): Promise<void>;
}
