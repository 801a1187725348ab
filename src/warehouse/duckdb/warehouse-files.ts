import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where the files are in a data folder. */
export const warehouseFolder = 'warehouse';
/** Ends the names of files with the tables of an organisation. */
export const fileEnding = '.duckdb';
/** Begins the names of folders with copies. What a killed process left is removed when the warehouse is opened. */
export const copyPrefix = 'copy-';

/** The file of a warehouse in a data folder, whether or not it is one of an organisation that is known. */
interface WarehouseFile {
  readonly name: string;
  /** The organisation that it belongs to, by its name. */
  readonly owner: string;
  readonly path: string;
  /** Its write-ahead log, which need not be there. */
  readonly logPath: string;
}

export function warehouseFilesIn(folder: string): WarehouseFile[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(fileEnding))
    .map((name) => {
      const path = join(folder, warehouseFolder, name);
      return { name, owner: name.slice(0, -fileEnding.length), path, logPath: `${path}.wal` };
    });
}

/** Whether a killed process has left copies of tables. They are removed at the next start. */
export const hasLeftCopies = (folder: string): boolean => namesIn(folder).some((name) => name.startsWith(copyPrefix));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, warehouseFolder));
  } catch {
    return [];
  }
}
