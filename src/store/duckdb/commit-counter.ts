import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Refusal } from '../../refusal.ts';

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
