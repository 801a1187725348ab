import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storedTables } from '../schema.ts';
import { EngineError } from './engine-failures.ts';
import { schemaOf } from './organisation-file.ts';
import { countRows } from './reading-statements.ts';
import { quoted } from './statement.ts';
import type { Task } from './task.ts';

/** The tables of a file and its row about itself are all that is in it, so the engine may copy all that it finds. */
export async function copyFile(task: Task, organisationId: string, path: string): Promise<void> {
  const [schema, copy] = [schemaOf(organisationId), quoted(`copy_of_${organisationId}`)];
  const run = (sql: string) => task.run({ sql, values: [] });
  const detach = async () => {
    // Also where the task was stopped: a statement of its own is refused then.
    await task.connection?.perform({ sql: `DETACH ${copy}`, values: [] }, { seconds: 60 });
  };
  try {
    await run(`ATTACH '${path.replaceAll("'", "''")}' AS ${copy}`);
    await run(`COPY FROM DATABASE ${schema} TO ${copy}`);
    for (const table of storedTables) {
      const [there] = await task.values<[number]>(countRows(table, schema));
      const [copied] = await task.values<[number]>(countRows(table, copy));
      if (copied?.[0] !== there?.[0])
        throw new Error(`Copying ${table.name} made ${copied?.[0]} rows of ${there?.[0]}`);
    }
    await run(`CHECKPOINT ${copy}`);
  } catch (error) {
    await detach().catch(() => {});
    // What fails in the copy, such as a full disk, says nothing of the file that is copied.
    if (error instanceof EngineError) throw new Error('The file could not be copied.', { cause: error });
    throw error;
  }
  await detach();
}

/**
 * Puts a copy in the place of a file that nobody has open. A log that is left holds rows which the copy may not have: then
 * everything stays as it is. Whether it was done.
 */
export async function putInPlace(copy: string, path: string): Promise<boolean> {
  if (existsSync(`${path}.wal`) || existsSync(`${copy}.wal`)) return false;
  await rename(copy, path);
  // A log that is written next must not outlive the new name of the file.
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return true;
}

/** How much of a file is left of earlier states, in bytes, and how large the file is. */
export async function unusedIn(
  task: Task,
  organisationId: string,
): Promise<{ readonly unused: number; readonly all: number }> {
  const [row] = await task.values<[number, number]>({
    sql: `SELECT json_array(free_blocks * block_size, total_blocks * block_size) FROM pragma_database_size()
      WHERE database_name = $1`,
    values: [`org_${organisationId}`],
  });
  const [unused = 0, all = 0] = row ?? [];
  return { unused, all };
}
