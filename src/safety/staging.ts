import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedStoreFiles } from '../store/open.ts';
import { warehouseFolder } from '../warehouse/open.ts';

const stagingFolder = '.restoring';
const { data: storeFile, log: logFile, commitCounter: commitCounterFile } = embeddedStoreFiles;

/**
 * A folder inside the data folder in which everything is built, and from which it is moved to its place by renames. Its
 * being there says that a restore was begun and not finished: until the store is in its place nothing else counts, and
 * warehouses without one are the work of that restore, which the next one replaces.
 *
 * The order decides what an interruption leaves. Warehouses come first: without a store they are nobody's, and the place
 * is as empty as it was. The store comes last, in one rename, and with it everything is complete.
 */
export class Staging {
  readonly path: string;
  readonly #folder: string;
  #isHalfMoved = false;

  private constructor(folder: string, path: string = Staging.pathIn(folder)) {
    this.#folder = folder;
    this.path = path;
  }

  static begin(folder: string): Staging {
    const staging = new Staging(folder);
    rmSync(staging.path, { recursive: true, force: true });
    mkdirSync(staging.path, { mode: 0o700 });
    return staging;
  }

  /**
   * Staging for work that goes on where it was broken off: finished parts stay, and warehouses that were moved without
   * their store come back.
   */
  static resume(folder: string, name: string): Staging {
    const staging = new Staging(folder, join(folder, name));
    const isLeft = existsSync(staging.path);
    mkdirSync(staging.path, { recursive: true, mode: 0o700 });
    const [from, to] = [join(folder, warehouseFolder), join(staging.path, warehouseFolder)];
    if (isLeft && existsSync(from) && !existsSync(to)) renameSync(from, to);
    return staging;
  }

  static pathIn(folder: string): string {
    return join(folder, stagingFolder);
  }

  /** Whether a restore into this folder was interrupted. */
  static isLeftIn(folder: string): boolean {
    return existsSync(Staging.pathIn(folder));
  }

  /** Puts the warehouses where they belong. They must be closed. */
  moveWarehouses(): void {
    const [from, to] = [join(this.path, warehouseFolder), join(this.#folder, warehouseFolder)];
    for (const name of readdirSync(from)) syncToDisk(join(from, name));
    syncToDisk(from);
    rmSync(to, { recursive: true, force: true });
    this.#isHalfMoved = true;
    renameSync(from, to);
    // On the disk before the store is: a machine that loses power may forget the last of several renames, not the first.
    syncToDisk(this.#folder);
  }

  /** Puts the warehouses among those that are there, in place of what an interrupted restore has left of them. */
  joinWarehouses(): void {
    const [from, to] = [join(this.path, warehouseFolder), join(this.#folder, warehouseFolder)];
    mkdirSync(to, { recursive: true, mode: 0o700 });
    this.#isHalfMoved = true;
    for (const name of readdirSync(from)) {
      syncToDisk(join(from, name));
      renameSync(join(from, name), join(to, name));
    }
    // On the disk before the store knows of them.
    syncToDisk(to);
  }

  /** Puts the embedded store where it belongs, which makes the restore complete. It must be closed. */
  moveStore(): void {
    if (existsSync(join(this.path, logFile))) throw new Error('the restored store was closed without a checkpoint');
    syncToDisk(join(this.path, storeFile));
    // The counter of the empty store goes first and that of the new one comes last: none at all is always allowed.
    rmSync(join(this.#folder, commitCounterFile), { force: true });
    renameSync(join(this.path, storeFile), join(this.#folder, storeFile));
    this.#isHalfMoved = false;
    renameSync(join(this.path, commitCounterFile), join(this.#folder, commitCounterFile));
    syncToDisk(this.#folder);
  }

  /** A store that was not moved has been committed. */
  storeIsKept(): void {
    this.#isHalfMoved = false;
  }

  /** For a store that was built here and not to its end. */
  removeStore(): void {
    for (const name of Object.values(embeddedStoreFiles)) rmSync(join(this.path, name), { force: true });
  }

  /** Clears up once everything is in its place. */
  complete(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /**
   * Clears up, whatever happened. Where warehouses were moved and it is not known that the store was, the folder itself
   * stays: the restore can then be repeated, and is refused if the store was kept after all.
   */
  end(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name), { recursive: true, force: true });
    if (!this.#isHalfMoved) rmSync(this.path, { recursive: true, force: true });
  }
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
