import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

export type Entries = Map<string, Buffer>;

/** A backup with something else in it, packed again: checksums of gzip and tar are right then. */
export async function repacked(path: string, change: (entries: Entries) => void): Promise<Buffer> {
  const entries: Entries = new Map();
  const reading = extract();
  reading.end(gunzipSync(readFileSync(path)));
  for await (const entry of reading) entries.set(entry.header.name, await buffer(entry));
  change(entries);
  const archive = pack();
  for (const [name, bytes] of entries) archive.entry({ name }, bytes);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** Changes a JSON entry in its place. */
export function rewrite<T>(entries: Entries, name: string, change: (value: T) => unknown): void {
  const value = JSON.parse(String(entries.get(name))) as T;
  entries.set(name, Buffer.from(JSON.stringify(change(value))));
}

export interface SomeManifest {
  readonly entries: readonly { readonly name: string }[];
  readonly warehouses?: readonly string[];
}

/** Puts other bytes in an entry's place, and says so in the manifest: nothing but their meaning is wrong then. */
export function replace(entries: Entries, manifest: string, name: string, bytes: Buffer): void {
  entries.set(name, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  rewrite<SomeManifest>(entries, manifest, (value) => ({
    ...value,
    entries: value.entries.map((entry) => (entry.name === name ? { ...entry, bytes: bytes.length, sha256 } : entry)),
  }));
}
