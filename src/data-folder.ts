import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { type FileLock, FileLocked, lockFile } from './store/open.ts';

/** Where the running server of a data folder can be reached by commands. Readable by its owner only. */
export interface ServerNotice {
  readonly pid: number;
  /** The address that people use. */
  readonly url: string;
  /** Which store it serves, without telling how to get in. */
  readonly store: string;
  /** The loopback port for commands, and what they must show there. */
  readonly controlPort: number;
  readonly token: string;
}

const lockName = 'folder.lock';
const noticeFile = 'server.json';

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

/** Ownership of a data folder: one process at a time, by a lock on an empty file in it. */
export class DataFolder {
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
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
      return new DataFolder(path, await lockFile(join(path, lockName)));
    } catch (error) {
      owned.delete(path);
      if (error instanceof FileLocked) throw new FolderInUse(path, error.pid);
      const message = error instanceof Error ? error.message : String(error);
      throw new Refusal('bad-input', `The data folder ${path} cannot be used: ${message.split('\n')[0]}`);
    }
  }

  /** Tells commands on this machine where to find the server that owns the folder. */
  announce(notice: ServerNotice): void {
    const path = join(this.path, noticeFile);
    // Made anew: a file that is there already would keep the mode it has, whatever is said here.
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, JSON.stringify(notice), { mode: 0o600, flag: 'wx' });
    renameSync(`${path}.new`, path);
  }

  release(): void {
    rmSync(join(this.path, noticeFile), { force: true });
    this.#lock.release();
    owned.delete(this.path);
  }
}

/** What the last server of a folder left behind. It may be dead: whoever reads this has to knock. */
export function readNotice(folder: string): ServerNotice | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, noticeFile), 'utf8')) as ServerNotice;
  } catch {
    return undefined;
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
