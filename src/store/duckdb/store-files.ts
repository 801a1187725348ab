/** The files of an embedded store, by name. */
export const embeddedStoreFiles = {
  data: 'store.duckdb',
  /** There only while the store is open, or after it was killed. */
  log: 'store.duckdb.wal',
  commitCounter: 'store.commits',
} as const;
