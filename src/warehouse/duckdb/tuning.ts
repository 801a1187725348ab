/** Sizes from which on it matters where rows lie. Tests make them small. */
export interface Tuning {
  /** From here on rows are looked for before they are read or changed. */
  readonly largeRows: number;
  /** From here on the order of rows is kept. */
  readonly tidyRows: number;
  /** What DuckDB reads and writes as one. */
  readonly groupRows: number;
}

export const usualTuning: Tuning = { largeRows: 100_000, tidyRows: 200_000, groupRows: 122_880 };
