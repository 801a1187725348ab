import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file that only its owner can read, onto the disk. It is created from scratch: a file that is there already
 * would keep the mode it has, and a link would be followed.
 */
export async function writePrivately(
  path: string,
  bytes: AsyncIterable<Uint8Array | string>,
  through: Transform = new PassThrough(),
): Promise<void> {
  await rm(path, { force: true });
  await pipeline(Readable.from(bytes), through, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  await syncToDisk(path);
}

export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
