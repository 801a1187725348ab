import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Context, command, withConnection } from '../command.ts';
import { refuseExisting, writeBackup } from '../private-file.ts';

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
      if (!options.force) refuseExisting(path, 'Name another file, or add --force to replace it.');
      return withConnection(context, options, async ({ operations }) => {
        const bytes = await writeBackup(path, operations.backup({ org: options.org }));
        return { json: { file: path, bytes }, text: `Wrote ${path} (${bytes.toLocaleString('en')} bytes).` };
      });
    });
}
