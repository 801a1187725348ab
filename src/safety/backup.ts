import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import type { Reading, Store } from '../store/store.ts';
import { type StoreTable, storeTables } from '../store/tables.ts';
import { type BackupEntry, entryName, manifestName, manifestOf } from './backup-manifest.ts';
import { pagesOf } from './table-pages.ts';

export interface BackupOptions {
  readonly at: Date;
  readonly plumbVersion: string;
}

/**
 * The whole store as one file: a gzipped tar of NDJSON tables that either engine can take in again. Everything comes
 * from one snapshot, which is read twice: first for the checksums, so that the manifest can lead the file and every
 * entry has its size, then for the rows. The server writes on meanwhile, and memory holds a page at a time.
 */
export function backup(store: Store, options: BackupOptions): Readable {
  const archive = pack();
  const compressed = createGzip();
  // Whoever reads the compressed end learns of an error there; whoever stops reading ends the snapshot by it.
  pipeline(archive, compressed, () => {});
  store
    .read((session) => write(session, archive, options))
    .catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
      // The archive may have ended for a reason that it did not pass on.
      if (!compressed.destroyed) compressed.destroy(error instanceof Error ? error : undefined);
    });
  return compressed;
}

async function write(session: Reading, archive: Pack, { at, plumbVersion }: BackupOptions): Promise<void> {
  const entries: BackupEntry[] = [];
  for (const table of storeTables) entries.push(await measure(session, table));
  const manifest = Buffer.from(`${JSON.stringify(manifestOf(entries, at, plumbVersion), undefined, 2)}\n`);
  await add(archive, manifestName, manifest.length, at, [manifest]);
  for (const [i, table] of storeTables.entries()) {
    await add(archive, entryName(table), entries[i]?.bytes ?? 0, at, linesOf(session, table));
  }
  archive.finalize();
}

async function measure(session: Reading, table: StoreTable): Promise<BackupEntry> {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  for await (const page of pagesOf(session, table)) {
    const chunk = lines(page);
    hash.update(chunk);
    rows += page.length;
    bytes += chunk.length;
  }
  return { name: entryName(table), rows, bytes, sha256: hash.digest('hex') };
}

async function* linesOf(session: Reading, table: StoreTable): AsyncGenerator<Buffer> {
  for await (const page of pagesOf(session, table)) yield lines(page);
}

const lines = (rows: readonly object[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

async function add(
  archive: Pack,
  name: string,
  size: number,
  mtime: Date,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const entry = archive.entry({ name, size, mtime, mode: 0o600 });
  await finished(Readable.from(content), entry);
}
