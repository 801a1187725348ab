import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Refusal } from '../../refusal.ts';
import { type Context, command, withConnection } from '../command.ts';
import { writePrivately } from '../private-file.ts';

export function backupCommand(context: Context): Command {
  return command('backup', {
    summary: 'write everything, or one organisation, into one file, also while the server runs',
    example: 'plumb backup plumb-2027-01-31.backup',
  })
    .option('--org <org>', 'only this organisation, by identifier or name')
    .option('--force', 'replace the file if it exists')
    .argument('<file>', 'file to write')
    .action((file: string, options: { org?: string; force?: boolean; json?: boolean }) => {
      const path = resolve(file);
      if (existsSync(path) && !options.force) {
        throw new Refusal('conflict', `${path} exists. Name another file, or add --force to replace it.`);
      }
      return withConnection(context, options, async (connection) => {
        await writeWhole(path, connection.backup(options.org));
        const { size } = statSync(path);
        return { json: { file: path, bytes: size }, text: `Wrote ${path} (${size.toLocaleString('en')} bytes).` };
      });
    });
}

/** A backup that breaks off is no backup: the file appears under its name only when all of it is on the disk. */
async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await writePrivately(partial, bytes);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC' || code === 'EISDIR') {
      throw new Refusal('bad-input', `${path} cannot be written: ${message}.`);
    }
    throw error;
  }
}
