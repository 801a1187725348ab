import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../refusal.ts';

export function refuseExisting(path: string, advice: string): void {
  if (existsSync(path)) throw new Refusal('conflict', `${path} exists. ${advice}`);
}

/** Writes a backup, and says how many bytes it has. One that breaks off is no backup. */
export async function writeBackup(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  await writeWhole(path, (partial) => writePrivately(partial, bytes));
  return (await stat(path)).size;
}

/** Writes a file, which appears under its name only when all of it is on the disk. */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await write(partial);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!unwritable.includes(code)) throw error;
    throw new Refusal('bad-input', `${path} cannot be written: ${message}.`);
  }
}

const unwritable = ['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR', 'ENOSPC'];

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
