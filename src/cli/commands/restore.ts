import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { LeftOutOfSource } from '../../configured-sources/admit-restored-source.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { printable } from '../progress.ts';
import { print } from '../terminal.ts';

export function restoreCommand(context: Context): Command {
  return command('restore', {
    summary:
      'restore a backup into an empty data folder or DATABASE_URL, completely or not at all (the backup of one organisation can also join others)',
    example: 'PLUMB_DATA=./restored plumb restore plumb-2027-01-31.backup',
  })
    .argument('<file>', 'a file that `plumb backup` wrote')
    .option(
      '--trust-sources',
      'bring the sources of one organisation as they were: with env: and file:, files of this machine and private addresses. Only for a backup that no one else could have edited',
    )
    .action(async (file: string, options: { json?: boolean; trustSources?: boolean }) => {
      const settings = settingsOf(context);
      const { commandUser } = await import('../server-connection.ts');
      const { restoreInto } = await import('../../safety/restore.ts');
      const { rows, warehouses, createdAt, leftOut, sourcesLeftOut } = await restoreInto(settings, resolve(file), {
        by: { actor: { via: 'command', user: commandUser() }, at: new Date() },
        trustSources: options.trustSources === true,
      });
      const into = settings.databaseUrl === undefined ? settings.folder : `the database and ${settings.folder}`;
      const missing = leftOut.length === 0 ? '' : ` The backup has no ${leftOut.join(' and no ')}.`;
      print(context.terminal, options.json === true, {
        json: { rows, warehouses, created_at: createdAt, left_out: leftOut, sources_left_out: sourcesLeftOut },
        text: [
          `Restored ${rows.toLocaleString('en')} rows of ${createdAt} into ${into}.${missing}`,
          ...leftOutLines(sourcesLeftOut),
        ].join('\n'),
      });
    });
}

function leftOutLines(leftOut: readonly LeftOutOfSource[]): string[] {
  if (leftOut.length === 0) return [];
  return [
    'Left out, since the file may have been edited:',
    ...leftOut.map(({ source, setting, reason }) =>
      printable(`  ${source}${setting === null ? '' : `, ${setting}`}: ${reason}`),
    ),
    'Give it again with `plumb source set` or `plumb source add`. Where no one else could have edited the file, restore with --trust-sources.',
  ];
}
