import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Refusal } from '../../refusal.ts';
import type { HealthFinding, Verification } from '../../safety/verify.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { exitCode } from '../exit-code.ts';
import { print } from '../terminal.ts';

export function verifyCommand(context: Context): Command {
  return command('verify', {
    summary: 'read everything in the data folder or a backup, and report damage',
    example: 'plumb verify',
  })
    .argument('[file]', 'a backup to verify instead of the data folder')
    .option(
      '--deep',
      'also recompute everything derived, in a copy, and compare (takes about as long as the import did)',
    )
    .action(async (file: string | undefined, options: { deep?: boolean; json?: boolean }) => {
      if (file !== undefined && options.deep) {
        throw new Refusal('bad-input', '--deep is for a data folder, not for a backup. Leave it out.');
      }
      const found = await verification(context, file, options.deep === true);
      const rows = Object.values(found.rows).reduce((sum, count) => sum + count, 0);
      if (found.findings.length > 0) context.exitWith(exitCode.failed);
      print(context.terminal, options.json === true, {
        json: { ok: found.findings.length === 0, ...found },
        text: [
          ...found.findings.map((finding) => `DAMAGED  ${findingLine(finding)}`),
          ...found.notices.map((notice) => `NOTICE   ${findingLine(notice)}`),
          found.findings.length === 0
            ? `Read ${rows.toLocaleString('en')} rows in ${Object.keys(found.rows).length} tables: nothing is damaged.`
            : `Read ${rows.toLocaleString('en')} rows: ${found.findings.length} kinds of damage.`,
        ].join('\n'),
      });
    });
}

function findingLine({ check, problem, count, examples }: HealthFinding): string {
  const some = examples.length > 0 ? ` (${count}, such as ${examples.join(', ')})` : '';
  return `${check}: ${problem}${some}`;
}

async function verification(context: Context, file: string | undefined, deep: boolean): Promise<Verification> {
  const settings = settingsOf(context);
  if (file === undefined) {
    const { connectToServer } = await import('../server-connection.ts');
    const server = await connectToServer(settings);
    if (server) return server.operations.verify({ deep });
  }
  const { verifyBackup, verifyPlace } = await import('../../safety/verify.ts');
  if (file !== undefined) return verifyBackup(resolve(file));
  const { dryRunIn } = await import('../../control/dry-run-in-place.ts');
  return verifyPlace(settings, deep ? dryRunIn(settings) : undefined);
}
