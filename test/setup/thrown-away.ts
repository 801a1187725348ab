import { sep } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

type Options = Readonly<Record<string, string>>;

/** Where every engine of this process that is open keeps its files. */
const places = new Map<DuckDBInstance, string>();

const create = DuckDBInstance.create.bind(DuckDBInstance);
DuckDBInstance.create = async (path?: string, options?: Options) => {
  const instance = await create(path, options);
  places.set(instance, options?.temp_directory ?? path ?? '');
  return instance;
};

const { closeSync } = DuckDBInstance.prototype;
DuckDBInstance.prototype.closeSync = function close() {
  places.delete(this);
  closeSync.call(this);
};

/**
 * Has the engines with files in a folder leave their logs as they are when they close. Bringing them into the files is
 * most of what closing costs, and nobody opens a folder again that is removed at the end of its test.
 */
export async function throwAway(folder: string): Promise<void> {
  for (const [instance, place] of places) {
    if (!place.startsWith(folder + sep)) continue;
    const connection = await instance.connect();
    try {
      await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    } finally {
      connection.closeSync();
    }
  }
}
