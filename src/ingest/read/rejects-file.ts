import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { errorCode } from './byte-source.ts';
import { standardInput } from './open-record-file.ts';

interface Reject {
  readonly line: number;
  readonly detail: string;
  /** The value of the line, or its text where there is no value. */
  readonly record: unknown;
}

const maxBufferedCharacters = 65_536;

/** Where the rejected lines of a file go: beside it, or for standard input into the given folder. */
export const rejectsPath = (path: string, folder: string = process.cwd()): string =>
  path === standardInput ? join(folder, 'stdin.rejects.ndjson') : `${path}.rejects.ndjson`;

/**
 * The rejected lines of one run. They are written beside their place and put there at the end, so that a run can read
 * the rejects of the last one while it writes its own.
 */
export class RejectsFile {
  readonly path: string;
  readonly #partPath: string;
  #handle: FileHandle | undefined;
  #buffered = '';
  #count = 0;

  constructor(path: string) {
    this.path = path;
    this.#partPath = `${path}.part`;
  }

  get count(): number {
    return this.#count;
  }

  async add({ line, detail, record }: Reject): Promise<void> {
    this.#buffered += `${JSON.stringify({ line, detail, record })}\n`;
    this.#count++;
    if (this.#count === 1 || this.#buffered.length > maxBufferedCharacters) await this.#flush();
  }

  /** The file of rejects; undefined when there were none. Then there is no file either, not even of an earlier run. */
  async close(): Promise<string | undefined> {
    return this.#orRefused(async () => {
      if (this.#count === 0) {
        await rm(this.path, { force: true });
        return undefined;
      }
      try {
        await this.#flush();
      } finally {
        await this.#handle?.close();
      }
      await rename(this.#partPath, this.path);
      return this.path;
    });
  }

  async #flush(): Promise<void> {
    await this.#orRefused(async () => {
      this.#handle ??= await this.#create();
      const text = this.#buffered;
      this.#buffered = '';
      await this.#handle.appendFile(text);
    });
  }

  /** Only the owner can read it, since records hold salaries; a new file is made each time, so that no link is followed. */
  async #create(): Promise<FileHandle> {
    await rm(this.#partPath, { force: true });
    return open(this.#partPath, 'wx', 0o600);
  }

  async #orRefused<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('bad-input', `Rejected lines cannot be written to ${this.path} (${errorCode(error)})`);
    }
  }
}
