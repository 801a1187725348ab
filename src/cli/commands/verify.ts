import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Verification } from '../../safety/verify.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { exitCode } from '../exit-code.ts';
import { print } from '../terminal.ts';

export function verifyCommand(context: Context): Command {
  return command('verify', {
    summary: 'read everything and tell what is damaged, in the data folder or in a backup',
    example: 'plumb verify',
  })
    .argument('[file]', 'a backup to verify instead of the data folder')
    .action(async (file: string | undefined, options: { json?: boolean }) => {
      const found = await verification(context, file);
      const rows = Object.values(found.rows).reduce((sum, count) => sum + count, 0);
      if (found.findings.length > 0) context.exitWith(exitCode.failed);
      print(context.terminal, options.json === true, {
        json: { ok: found.findings.length === 0, ...found },
        text: [
          ...found.findings.map(({ check, problem, count, examples }) => {
            const some = examples.length > 0 ? `, such as ${examples.join(', ')}` : '';
            return `DAMAGED  ${check}: ${problem} (${count}${some})`;
          }),
          found.findings.length === 0
            ? `Read ${rows.toLocaleString('en')} rows in ${Object.keys(found.rows).length} tables: nothing is damaged.`
            : `Read ${rows.toLocaleString('en')} rows: ${found.findings.length} kinds of damage.`,
        ].join('\n'),
      });
    });
}

async function verification(context: Context, file: string | undefined): Promise<Verification> {
  const settings = settingsOf(context);
  const { verifyBackup, verifyPlace } = await import('../../safety/verify.ts');
  const { remoteDoor } = await import('../door.ts');
  if (file !== undefined) return verifyBackup(resolve(file));
  const server = await remoteDoor(settings);
  return server ? server.operations.verify({}) : verifyPlace(settings);
}
