import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Refusal } from '../refusal.ts';
import { writePrivately } from './private-file.ts';

export function refuseExisting(path: string, advice: string): void {
  if (existsSync(path)) throw new Refusal('conflict', `${path} exists. ${advice}`);
}

/** Writes a backup and says how many bytes it has. One that breaks off is no backup: the file appears under its name only when all of it is on the disk. */
export async function writeBackup(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = `${path}.partial`;
  try {
    await writePrivately(partial, bytes);
    renameSync(partial, path);
    return statSync(path).size;
  } catch (error) {
    rmSync(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC' || code === 'EISDIR') {
      throw new Refusal('bad-input', `${path} cannot be written: ${message}.`);
    }
    throw error;
  }
}
