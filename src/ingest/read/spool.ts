import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface NamelessFile {
  readonly file: FileHandle;
  close(): Promise<void>;
}

/**
 * A file that has no name from the beginning, so that nothing is left of it whatever happens. Where files in use keep
 * their names, it goes when it is closed.
 */
export async function openNameless(folder: string): Promise<NamelessFile> {
  const path = join(folder, `.plumb-${randomUUID()}.spool`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true }).catch(() => {});
  return {
    file,
    async close() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

/** Parts of something large, kept in a file without a name until all of them are there. */
export class Spool<T> {
  readonly #nameless: NamelessFile;
  readonly #parts: (() => Promise<T>)[] = [];
  #end = 0;

  private constructor(nameless: NamelessFile) {
    this.#nameless = nameless;
  }

  get #file(): FileHandle {
    return this.#nameless.file;
  }

  static async open<T>(folder: string): Promise<Spool<T>> {
    return new Spool<T>(await openNameless(folder));
  }

  /** Returns what reads the part again. */
  async add(part: T): Promise<() => Promise<T>> {
    const bytes = Buffer.from(JSON.stringify(part));
    const begins = this.#end;
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, begins + written);
      written += bytesWritten;
    }
    this.#end = begins + bytes.length;
    const read = async () => JSON.parse(await this.#text(begins, bytes.length)) as T;
    this.#parts.push(read);
    return read;
  }

  /** All parts, in the order they came in, one at a time in memory. */
  async *parts(): AsyncGenerator<T> {
    for (const read of this.#parts) yield await read();
  }

  async close(): Promise<void> {
    await this.#nameless.close();
  }

  async #text(begins: number, length: number): Promise<string> {
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, read, bytes.length - read, begins + read);
      if (bytesRead === 0) throw new Error('a spooled part is no longer whole');
      read += bytesRead;
    }
    return bytes.toString();
  }
}
