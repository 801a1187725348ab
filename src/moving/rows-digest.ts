import { createHash } from 'node:crypto';
import type { RowsDigest } from '../warehouse/moving-port.ts';

/** Of rows that come batch by batch and always in the same order, each as the values of the same columns. */
export class DigestOfRows {
  readonly #columns: readonly string[];
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(rows: readonly Readonly<Record<string, unknown>>[]): void {
    const lines = rows.map((row) => `${JSON.stringify(this.#columns.map((name) => row[name] ?? null))}\n`);
    this.#hash.update(lines.join(''));
    this.#rows += rows.length;
  }

  end(): RowsDigest {
    return { rows: this.#rows, digest: this.#hash.digest('hex') };
  }
}

export const isSame = (one: RowsDigest, other: RowsDigest): boolean =>
  one.rows === other.rows && one.digest === other.digest;
