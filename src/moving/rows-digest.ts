import { createHash } from 'node:crypto';

/** How many rows a table has and what they are, in their order. Equal digests mean equal tables. */
export interface RowsDigest {
  readonly rows: number;
  readonly sha256: string;
}

/** Takes rows batch by batch, each as the values of the same columns. */
export class DigestOfRows {
  readonly #columns: readonly string[];
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  get rows(): number {
    return this.#rows;
  }

  add(rows: readonly Readonly<Record<string, unknown>>[]): void {
    const lines = rows.map((row) => `${JSON.stringify(this.#columns.map((name) => row[name] ?? null))}\n`);
    this.#hash.update(lines.join(''));
    this.#rows += rows.length;
  }

  end(): RowsDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}

export const isSame = (one: RowsDigest, other: RowsDigest): boolean =>
  one.rows === other.rows && one.sha256 === other.sha256;
