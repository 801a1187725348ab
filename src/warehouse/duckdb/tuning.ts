/** Sizes from which on it matters where rows lie. Tests make them small. */
export interface Tuning {
  /** From here on rows are looked for before they are read or changed. */
  readonly largeRows: number;
  /** From here on the order of rows is kept. */
  readonly tidyRows: number;
  /** What DuckDB reads and writes as one. */
  readonly groupRows: number;
  /** Rows of a long answer that are sorted at once: a million take some 600 MB, of which little is given back. */
  readonly sortedRows: number;
}

export const usualTuning: Tuning = { largeRows: 100_000, tidyRows: 200_000, groupRows: 122_880, sortedRows: 100_000 };
