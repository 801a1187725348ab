import { createHash } from 'node:crypto';
import { type ArchiveEntry, brokenStream, damaged } from './backup-archive.ts';
import type { BackupEntry } from './backup-manifest.ts';

const newline = 0x0a;

/** The bytes of an entry, checked against what a manifest promises. They were right only if this ends by itself. */
export async function* checkedBytes(
  entry: ArchiveEntry,
  expected: BackupEntry,
  path: string,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of entry) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw damaged(path, brokenStream(error));
  }
  if (hash.digest('hex') !== expected.sha256) throw damaged(path, `the checksum of ${expected.name} does not match`);
}

/** Split at line feeds alone: `readline` would also split at the Unicode line separators that names may hold. */
export async function* linesOf(bytes: AsyncIterable<Buffer>, name: string, path: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) throw damaged(path, `${name} ends in the middle of a line`);
}

/** An entry that is small, as manifests are, as one text. */
export async function wholeText(entry: ArchiveEntry, bytesMost: number, path: string): Promise<string> {
  if ((entry.header.size ?? 0) > bytesMost) throw damaged(path, `${entry.header.name} is too long`);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of entry) chunks.push(chunk);
  } catch (error) {
    throw damaged(path, brokenStream(error));
  }
  return Buffer.concat(chunks).toString('utf8');
}
