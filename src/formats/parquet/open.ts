import { readParquet } from './duckdb/parquet-reader.ts';
import { writeParquet } from './duckdb/parquet-writer.ts';
import type { ParquetFiles } from './parquet-files.ts';

/** Whatever engine the tables are in: files are read and written in this process. */
export const parquetFiles: ParquetFiles = { write: writeParquet, read: readParquet };
