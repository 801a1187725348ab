import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';

/** Writes entries into an archive, one after another, as fast as somebody reads it. */
export class BackupWriter {
  readonly #archive: Pack;
  readonly #at: Date;

  constructor(archive: Pack, at: Date) {
    this.#archive = archive;
    this.#at = at;
  }

  async add(name: string, bytes: number, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    const entry = this.#archive.entry({ name, size: bytes, mtime: this.#at, mode: 0o600 });
    await pipeline(Readable.from(content), entry);
  }

  async addJson(name: string, value: object): Promise<void> {
    const text = Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
    await this.add(name, text.length, [text]);
  }
}
