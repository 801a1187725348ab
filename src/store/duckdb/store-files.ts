import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { Refusal } from '../../refusal.ts';

/** The files of an embedded store, by name. */
export const embeddedStoreFiles = {
  data: 'store.duckdb',
  /** There only while the store is open, or after it was killed. */
  log: 'store.duckdb.wal',
  commitCounter: 'store.commits',
} as const;

export interface FileLock {
  release(): void;
}

/** Another process has the lock. Its number, where the system says it. */
export class FileLocked extends Error {
  readonly pid: number | undefined;

  constructor(path: string, pid: number | undefined) {
    super(`${path} is locked`);
    this.pid = pid;
  }
}

/**
 * Locks a file for this process. The lock is DuckDB's own, on an empty database, since Node.js has none: the operating
 * system gives it back whatever way the owner ends, so that no stale lock is ever left behind.
 */
export async function lockFile(path: string): Promise<FileLock> {
  try {
    const instance = await DuckDBInstance.create(path, { threads: '1' });
    return { release: () => instance.closeSync() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!/could not set lock|conflicting lock/i.test(message)) throw error;
    const pid = /\(PID (\d+)\)/.exec(message)?.[1];
    throw new FileLocked(path, pid === undefined ? undefined : Number(pid));
  }
}

const width = 16;

/**
 * DuckDB does not notice when its write-ahead log is gone: it opens the older state as if nothing had happened since.
 * So the number of the last commit is also written into a small file beside it, after the commit and without waiting
 * for the disk: it can lag behind the store but never run ahead, whatever is killed. Ahead means that commits were lost.
 */
export class CommitCounter {
  readonly #path: string;
  readonly #descriptor: number;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  }

  /** The number of a commit that certainly happened; 0 when none was seen. */
  seen(): number {
    const seen = Number(readFileSync(this.#path, 'utf8').trim());
    return Number.isSafeInteger(seen) ? seen : 0;
  }

  check(commits: number): void {
    const seen = this.seen();
    if (seen > commits) {
      throw new Refusal(
        'conflict',
        `The store has lost ${seen - commits} of its ${seen} commits: its write-ahead log was removed or damaged. ` +
          `Restore a backup into an empty folder, or delete ${this.#path} to go on with what is left.`,
      );
    }
  }

  /** May fail, on a full disk for one: the commit stands all the same, and the counter may lag behind. */
  record(commits: number): void {
    try {
      writeSync(this.#descriptor, `${String(commits).padStart(width, '0')}\n`, 0);
    } catch {
      return;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
