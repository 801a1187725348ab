import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Refusal } from './refusal.ts';
import { removeNotice, type ServerNotice, writeNotice } from './server-notice.ts';

const lockFile = 'folder.lock';

/** Somebody else owns the folder. */
export class FolderInUse extends Refusal {
  readonly pid: number | undefined;
  constructor(folder: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another process' : `process ${pid}`;
    super('conflict', `The data folder ${folder} is in use by ${holder}. Only one process can own it at a time.`);
    this.pid = pid;
  }
}

const owned = new Set<string>();

/**
 * Ownership of a data folder: one process at a time. The lock is DuckDB's own, on an empty file, since Node.js has
 * none: the operating system gives it back whatever way the owner ends, so that no stale lock is ever left behind.
 */
export class DataFolder {
  readonly path: string;
  readonly #lock: DuckDBInstance;

  private constructor(path: string, lock: DuckDBInstance) {
    this.path = path;
    this.#lock = lock;
  }

  static async claim(path: string): Promise<DataFolder> {
    makeFolder(path);
    refuseReadableByOthers(path);
    // The lock keeps other processes out, but not this one.
    if (owned.has(path)) throw new FolderInUse(path, process.pid);
    owned.add(path);
    try {
      return new DataFolder(path, await DuckDBInstance.create(join(path, lockFile), { threads: '1' }));
    } catch (error) {
      owned.delete(path);
      const message = error instanceof Error ? error.message : String(error);
      if (!/could not set lock|conflicting lock/i.test(message)) {
        throw new Refusal('bad-input', `The data folder ${path} cannot be used: ${message.split('\n')[0]}`);
      }
      const pid = /\(PID (\d+)\)/.exec(message)?.[1];
      throw new FolderInUse(path, pid === undefined ? undefined : Number(pid));
    }
  }

  /** Tells commands on this machine where to find the server that owns the folder. */
  announce(notice: ServerNotice): void {
    writeNotice(this.path, notice);
  }

  release(): void {
    removeNotice(this.path);
    this.#lock.closeSync();
    owned.delete(this.path);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('bad-input', `The data folder ${path} cannot be made: ${why}. Set PLUMB_DATA to another one.`);
  }
}

/**
 * A folder that is closed to others closes everything in it, whatever the modes of the files. A link in it leads out, so
 * what the link names has to be closed by itself.
 */
function refuseReadableByOthers(path: string): void {
  // There the modes say nothing about who can read.
  if (process.platform === 'win32') return;
  const links = [path, join(path, 'warehouse')].flatMap(linksIn);
  const open = [path, ...links].filter((one) => ((statSync(one, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0);
  if (open.length === 0) return;
  throw new Refusal(
    'bad-input',
    `The data folder ${path} can be read by users who are neither its owner nor in its group. ` +
      `Close it to them with: chmod o-rwx ${open.map(asShellWord).join(' ')}`,
  );
}

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch {
    // It is not there yet, or cannot be read: whoever needs it says so.
    return [];
  }
}

const asShellWord = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", "'\\''")}'`;
