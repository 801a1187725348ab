import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Refusal } from './refusal.ts';
import { removeNotice, type ServerNotice, writeNotice } from './server-notice.ts';
import { embeddedStoreFiles, type FileLock, FileLocked, lockFile } from './store/open.ts';

const lockName = 'folder.lock';

/** Another process owns the folder. */
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
    closeToOthers(path);
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
    writeNotice(this.path, notice);
  }

  release(): void {
    removeNotice(this.path);
    this.#lock.release();
    owned.delete(this.path);
  }
}

function makeFolder(path: string): void {
  try {
    makeWithParents(resolve(path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('bad-input', `The data folder ${path} cannot be made: ${why}. Name another one.`);
  }
}

/** Not with `recursive`: where a file system takes no folders, as /proc, Node.js 20 then tries without end. */
function makeWithParents(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeWithParents(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Closing a folder to others closes everything in it, whatever the modes of the files. Only a link leads out, so the
 * file that it names has to be closed by itself. Plumb closes folders that are empty or its own; others may be open on
 * purpose.
 */
function closeToOthers(path: string): void {
  // On this system, modes do not say who can read.
  if (process.platform === 'win32') return;
  const links = [path, join(path, 'warehouse')].flatMap(linksIn);
  const open = [path, ...links].filter((one) => isOpenToOthers(one) && !closed(one));
  if (open.length === 0) return;
  throw new Refusal(
    'bad-input',
    `The data folder ${path} can be read by users who are neither its owner nor in its group. ` +
      `Close it to them with: chmod o-rwx ${open.map(asShellWord).join(' ')}`,
  );
}

const isOpenToOthers = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0;

/** Whether a folder that others can read is closed to them when it is opened: where that takes nothing away from them. */
export function isClosedWhenOpened(path: string): boolean {
  const { mode, uid } = statSync(path);
  // A folder in which many users make files, such as /tmp, is nobody's own even while it is empty.
  const isShared = (mode & 0o1000) !== 0;
  return !isShared && uid === process.getuid?.() && isPlumbs(path);
}

/** Closes a folder to others. False where somebody may need it open, or closing it is not allowed. */
function closed(path: string): boolean {
  if (!isClosedWhenOpened(path)) return false;
  try {
    chmodSync(path, statSync(path).mode & 0o7770);
  } catch {
    // A file system that was mounted read-only, for one.
    return false;
  }
  return !isOpenToOthers(path);
}

/** The files by which a data folder is recognised, and the folder of the warehouses, which may be a link. */
const ownFiles = [lockName, embeddedStoreFiles.data, embeddedStoreFiles.commitCounter];

function isPlumbs(path: string): boolean {
  if (!isFolder(path)) return false;
  try {
    const names = readdirSync(path);
    return names.length === 0 || names.some((name) => ownFiles.includes(name)) || names.every(isWarehouseFile);
  } catch {
    return false;
  }
}

/** Names of warehouse files begin with the identifier of their organisation. */
const isWarehouseFile = (name: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\./.test(name);

function linksIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch {
    // The folder is not there yet, or cannot be read: the code that needs it reports that.
    return [];
  }
}

const asShellWord = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", "'\\''")}'`;
