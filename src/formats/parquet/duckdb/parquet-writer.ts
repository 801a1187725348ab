import { dirname, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FieldType } from '../../../catalogue/record.ts';
import type { WrittenColumn } from '../parquet-files.ts';

/** Lists are JSON as well: a reader that knows nothing of them still gets their text. */
const parquetTypes: Readonly<Record<FieldType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  duration: 'BIGINT',
  'text[]': 'JSON',
  json: 'JSON',
};

/** More than the longest line that rows can make: a few texts of 1 MiB, each six times as long when it is escaped. */
const maxLineBytes = 96 * 1024 * 1024;

export async function writeParquet(columns: readonly WrittenColumn[], from: string, to: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '1GB',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const connection = await instance.connect();
    await connection.run(`SET allowed_directories = [${sqlText(dirname(resolve(to)))}]`);
    await connection.run('SET enable_external_access = false');
    const types = columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(parquetTypes[type])}`);
    const rows = `read_json(${sqlText(resolve(from))}, format = 'newline_delimited', compression = 'uncompressed',
      maximum_object_size = ${maxLineBytes}, columns = {${types.join(', ')}})`;
    const result = await connection.runAndReadAll(
      `COPY (SELECT * FROM ${rows}) TO ${sqlText(resolve(to))} (FORMAT parquet, COMPRESSION zstd)`,
    );
    return Number(result.getRows()[0]?.[0] ?? 0);
  } finally {
    instance.closeSync();
  }
}

// Neither a setting nor the name of a file in COPY takes a parameter.
const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
