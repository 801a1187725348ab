import type { Command } from 'commander';
import type { Settings } from '../../config.ts';
import type { Diagnosis } from '../../safety/doctor.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { exitCode } from '../exit-code.ts';
import { columns, print } from '../terminal.ts';

export function doctorCommand(context: Context): Command {
  return command('doctor', {
    summary: 'check the machine, the data folder and the store, and say how to repair what is wrong',
    example: 'plumb doctor',
  }).action(async (options: { json?: boolean }) => {
    const settings = settingsOf(context);
    const { connectToServer } = await import('../server-connection.ts');
    const server = await connectToServer(settings);
    const found = server ? await server.operations.examine({}) : await examineHere(context, settings);
    const isWell = found.every(({ status }) => status !== 'problem');
    if (!isWell) context.exitWith(exitCode.failed);
    const rows = found.map(({ name, status, detail }) => [status, name, detail]);
    print(context.terminal, options.json === true, {
      json: { ok: isWell, checks: found },
      text: columns(['STATUS', 'CHECK', 'DETAIL'], rows),
    });
  });
}

async function examineHere({ terminal }: Context, settings: Settings): Promise<readonly Diagnosis[]> {
  const { examine } = await import('../../safety/doctor.ts');
  const { recordChecks } = await import('../../control/record-checks.ts');
  const { sourceChecks } = await import('../../control/source-checks.ts');
  return examine({
    ...settings,
    environment: terminal.environment,
    now: new Date(),
    recordChecks,
    storeChecks: sourceChecks(settings),
  });
}
