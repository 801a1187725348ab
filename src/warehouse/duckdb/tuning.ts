/** Sizes from which on it matters where rows lie. Tests make them small. */
export interface Tuning {
  /** From here on rows are looked for before they are read or changed. */
  readonly largeRows: number;
  /** From here on the order of rows is kept. */
  readonly reclusterFromRows: number;
  /** What DuckDB reads and writes as one. */
  readonly groupRows: number;
  /** Rows of a long answer that are sorted at once: a million take some 600 MB, of which little is given back. */
  readonly sortedRows: number;
  /** Bytes of a long answer that are sorted at once. The engine holds what it sorts several times. */
  readonly sortedBytes: number;
  /** How much of a long answer the engine writes to the disk ahead of its reader. */
  readonly aheadBytes: number;
}

export const usualTuning: Tuning = {
  largeRows: 100_000,
  reclusterFromRows: 200_000,
  groupRows: 122_880,
  sortedRows: 100_000,
  sortedBytes: 16 * 1_024 ** 2,
  aheadBytes: 64 * 1_024 ** 2,
};
