import type { ParquetFiles } from './parquet-files.ts';

/**
 * Whatever engine the tables are in: files are read and written in this process. What does that is loaded with the first
 * of them, since a command that imports or exports text needs no engine.
 */
export const parquetFiles: ParquetFiles = {
  async write(columns, from, to) {
    const { writeParquet } = await import('./duckdb/parquet-writer.ts');
    return writeParquet(columns, from, to);
  },
  async *read(path) {
    const { readParquet } = await import('./duckdb/parquet-reader.ts');
    yield* readParquet(path);
  },
};
