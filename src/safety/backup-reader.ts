import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { Refusal } from '../refusal.ts';
import { type StoreTable, storeTables } from '../store/tables.ts';
import { type BackupEntry, type BackupManifest, entryName, manifestName, parseManifest } from './backup-manifest.ts';
import { misfitsOf } from './row-shape.ts';
import type { PlainRow } from './table-pages.ts';

export type BackupPart =
  | { readonly kind: 'manifest'; readonly manifest: BackupManifest }
  | { readonly kind: 'rows'; readonly table: StoreTable; readonly rows: readonly PlainRow[] };

/** One file inside the archive. */
type Entry = AsyncIterable<Buffer> & { readonly header: Header };

const manifestBytesMost = 1 << 20;
const batchRows = 5_000;
const newline = 0x0a;

const notABackup = (path: string) =>
  new Refusal('bad-input', `${path} is not a backup made by Plumb, or its beginning is damaged.`);
const damaged = (path: string, what: string) =>
  new Refusal('bad-input', `The backup ${path} is damaged: ${what}. Use another one.`);

/**
 * Reads a backup part by part. Only when this ends without a refusal was everything that came out of it right: what is
 * missing or follows at the end is known only there.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const size = await sizeOf(path);
  const gunzip = createGunzip();
  const archive = extract();
  pipeline(createReadStream(path), gunzip, archive, () => {});
  let manifest: BackupManifest | undefined;
  let next = 0;
  const entries = (archive as AsyncIterable<Entry>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const entry = await nextEntry(entries, path, manifest);
      if (!entry) break;
      if (!manifest) {
        manifest = await readManifest(entry, path);
        yield { kind: 'manifest', manifest };
        continue;
      }
      const expected = manifest.entries[next];
      const table = storeTables[next];
      if (!expected || !table || entry.header.name !== entryName(table)) {
        throw damaged(path, `it holds '${entry.header.name}', which its manifest does not expect there`);
      }
      for await (const rows of tableRows(entry, table, expected, path)) yield { kind: 'rows', table, rows };
      next += 1;
    }
    if (!manifest) throw notABackup(path);
    const missing = manifest.entries[next];
    if (missing) throw damaged(path, `${missing.name} is missing`);
    // A gunzip stream ignores what follows the end of the compressed data.
    if (gunzip.bytesWritten !== size) {
      throw damaged(path, `${size - gunzip.bytesWritten} bytes follow its end that do not belong to it`);
    }
  } finally {
    archive.destroy();
    gunzip.destroy();
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Refusal('not-found', `There is no backup file ${path}.`);
  return found.size;
}

async function nextEntry(
  entries: AsyncIterator<Entry>,
  path: string,
  manifest: BackupManifest | undefined,
): Promise<Entry | undefined> {
  try {
    const { done, value } = await entries.next();
    return done ? undefined : value;
  } catch (error) {
    throw manifest ? damaged(path, brokenStream(error)) : notABackup(path);
  }
}

async function readManifest(entry: Entry, path: string): Promise<BackupManifest> {
  const { name, size = 0 } = entry.header;
  if (name !== manifestName || size > manifestBytesMost) throw notABackup(path);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of entry) chunks.push(chunk);
  } catch {
    throw notABackup(path);
  }
  return parseManifest(Buffer.concat(chunks).toString('utf8'));
}

/** The rows of one table, checked against what the manifest promises. */
async function* tableRows(
  entry: Entry,
  table: StoreTable,
  expected: BackupEntry,
  path: string,
): AsyncGenerator<readonly PlainRow[]> {
  const hash = createHash('sha256');
  let count = 0;
  let batch: PlainRow[] = [];
  for await (const line of linesOf(entry, path, (chunk) => hash.update(chunk))) {
    batch.push(parseRow(line, table, path));
    count += 1;
    if (batch.length === batchRows) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
  if (hash.digest('hex') !== expected.sha256) throw damaged(path, `the checksum of ${expected.name} does not match`);
  if (count !== expected.rows) throw damaged(path, `${expected.name} has ${count} rows instead of ${expected.rows}`);
}

/** Split at line feeds alone: `readline` would also split at the Unicode line separators that names may hold. */
async function* linesOf(entry: Entry, path: string, seen: (chunk: Buffer) => void): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of entry) {
      seen(chunk);
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
  } catch (error) {
    throw error instanceof Refusal ? error : damaged(path, brokenStream(error));
  }
  if (rest.length > 0) throw damaged(path, `${entry.header.name} ends in the middle of a line`);
}

function parseRow(line: string, table: StoreTable, path: string): PlainRow {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw damaged(path, `a line of ${entryName(table)} is not JSON`);
  }
  if (typeof row !== 'object' || row === null) throw damaged(path, `a line of ${entryName(table)} is not a row`);
  const [misfit] = misfitsOf(table, row as PlainRow);
  if (misfit) throw damaged(path, `a row of ${entryName(table)} has no usable ${misfit}`);
  return row as PlainRow;
}

function brokenStream(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'Z_BUF_ERROR' || /unexpected end|premature/i.test(message ?? '')) return 'it is cut short';
  return 'its bytes were changed after it was made';
}
