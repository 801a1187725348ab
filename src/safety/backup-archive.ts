import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { type Extract, extract, type Header, type Pack } from 'tar-stream';
import { Refusal } from '../refusal.ts';

/** One file inside the archive. It has to be read to its end before the next one comes. */
export type ArchiveEntry = AsyncIterable<Buffer> & { readonly header: Header };

export const notABackup = (path: string): Refusal =>
  new Refusal('bad-input', `${path} is not a backup made by Plumb, or its beginning is damaged.`);
export const damaged = (path: string, what: string): Refusal =>
  new Refusal('bad-input', `The backup ${path} is damaged: ${what}. Use another one.`);

/** A gzipped tar, read from its beginning to its end. */
export class BackupArchive {
  readonly path: string;
  readonly #size: number;
  readonly #gunzip: Gunzip;
  readonly #archive: Extract;
  readonly #entries: AsyncIterator<ArchiveEntry>;

  private constructor(path: string, size: number) {
    this.path = path;
    this.#size = size;
    this.#gunzip = createGunzip();
    this.#archive = extract();
    pipeline(createReadStream(path), this.#gunzip, this.#archive).catch(() => {});
    this.#entries = (this.#archive as AsyncIterable<ArchiveEntry>)[Symbol.asyncIterator]();
  }

  static async open(path: string): Promise<BackupArchive> {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Refusal('not-found', `There is no backup file ${path}.`);
    return new BackupArchive(path, found.size);
  }

  /** The first entry, whatever its name. */
  async first(): Promise<ArchiveEntry> {
    const entry = await this.#next().catch(() => undefined);
    if (!entry) throw notABackup(this.path);
    return entry;
  }

  /** The next entry, which must have this name. */
  async entry(name: string): Promise<ArchiveEntry> {
    const entry = await this.#next();
    if (!entry) throw damaged(this.path, `${name} is missing`);
    if (entry.header.name !== name) throw this.#unexpected(entry);
    return entry;
  }

  /** No entry may follow. */
  async end(): Promise<void> {
    const entry = await this.#next();
    if (entry) throw this.#unexpected(entry);
    // A gunzip stream ignores what follows the end of the compressed data.
    const behind = this.#size - this.#gunzip.bytesWritten;
    if (behind !== 0) throw damaged(this.path, `${behind} bytes follow its end that do not belong to it`);
  }

  close(): void {
    this.#archive.destroy();
    this.#gunzip.destroy();
  }

  async #next(): Promise<ArchiveEntry | undefined> {
    try {
      const { done, value } = await this.#entries.next();
      return done ? undefined : value;
    } catch (error) {
      throw damaged(this.path, brokenStream(error));
    }
  }

  #unexpected({ header }: ArchiveEntry): Refusal {
    return damaged(this.path, `it holds '${header.name}', which its manifest does not expect there`);
  }
}

export function brokenStream(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'Z_BUF_ERROR' || /unexpected end|premature/i.test(message ?? '')) return 'it is cut short';
  return 'its bytes were changed after it was made';
}

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
