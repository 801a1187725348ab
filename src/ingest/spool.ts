import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Parts of something large, kept in a file until all of them are there. The file has no name from the beginning, so
 * that nothing is left of it whatever happens; where files in use keep their names, it goes with the spool.
 */
export class Spool<T> {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #ends: number[] = [];

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  static async open<T>(folder: string): Promise<Spool<T>> {
    const path = join(folder, `.plumb-${randomUUID()}.spool`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path, { force: true }).catch(() => {});
    return new Spool<T>(file, path);
  }

  async add(part: T): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(part));
    const begins = this.#ends.at(-1) ?? 0;
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, begins + written);
      written += bytesWritten;
    }
    this.#ends.push(begins + bytes.length);
  }

  /** All parts, in the order they came in, one at a time in memory. */
  async *parts(): AsyncGenerator<T> {
    let begins = 0;
    for (const ends of this.#ends) {
      yield JSON.parse(await this.#text(begins, ends)) as T;
      begins = ends;
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  async #text(begins: number, ends: number): Promise<string> {
    const bytes = Buffer.allocUnsafe(ends - begins);
    for (let read = 0; read < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, read, bytes.length - read, begins + read);
      if (bytesRead === 0) throw new Error('a spooled part is no longer whole');
      read += bytesRead;
    }
    return bytes.toString();
  }
}
