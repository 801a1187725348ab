import type { FieldType, Json } from '../../catalogue/record.ts';

/** A column of a file that is written. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: FieldType;
}

/** A column of a file that is read. */
export interface ReadColumn {
  readonly name: string;
  /** Text that the file itself declares to be JSON. */
  readonly isJson: boolean;
}

/** Some rows of a file, in its order. */
export interface ReadRows {
  readonly columns: readonly ReadColumn[];
  /** Can be read once. */
  readonly rows: Iterable<readonly Json[]>;
  readonly count: number;
  /** How many rows the whole file has. */
  readonly rowsTotal: number;
}

/** A file is damaged, encrypted, or written in a way that is not known here. */
export class UnreadableParquet extends Error {}

/** Files in the Parquet format, on the disk. */
export interface ParquetFiles {
  /** Makes a file of NDJSON, in the same order. Returns how many rows it holds. */
  write(columns: readonly WrittenColumn[], from: string, to: string): Promise<number>;
  /** All rows, some at a time, with values as JSON would have them. Throws `UnreadableParquet` where it cannot. */
  read(path: string): AsyncIterable<ReadRows>;
}
