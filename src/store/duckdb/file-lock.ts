import { DuckDBInstance } from '@duckdb/node-api';

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
