import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Context, command, settingsOf } from '../command.ts';
import { print } from '../terminal.ts';

export function restoreCommand(context: Context): Command {
  return command('restore', {
    summary:
      'restore a backup into an empty data folder (or an empty DATABASE_URL), completely or not at all; that of one organisation also to others',
    example: 'PLUMB_DATA=./restored plumb restore plumb-2027-01-31.backup',
  })
    .argument('<file>', 'a file that `plumb backup` wrote')
    .action(async (file: string, options: { json?: boolean }) => {
      const settings = settingsOf(context);
      const { commandUser } = await import('../server-connection.ts');
      const { restoreInto } = await import('../../safety/restore.ts');
      const { rows, warehouses, createdAt } = await restoreInto(settings, resolve(file), {
        actor: { via: 'command', user: commandUser() },
        at: new Date(),
      });
      const into = settings.databaseUrl === undefined ? settings.folder : `the database and ${settings.folder}`;
      print(context.terminal, options.json === true, {
        json: { rows, warehouses, created_at: createdAt },
        text: `Restored ${rows.toLocaleString('en')} rows of ${createdAt} into ${into}.`,
      });
    });
}
