import type { Command } from 'commander';
import type { Settings } from '../../config.ts';
import type { Diagnosis } from '../../safety/doctor.ts';
import { totalOf, wholeDetail } from '../../safety/finding.ts';
import { type Context, command, settingsOf } from '../command.ts';
import { diagnosesText } from '../diagnoses-text.ts';
import { exitCode } from '../exit-code.ts';
import { print, screenWidth } from '../terminal.ts';

interface DoctorOptions {
  readonly org?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The text is as wide at most, also on a wider screen. */
const maxWidth = 100;

export function doctorCommand(context: Context): Command {
  return command('doctor', {
    summary: 'check the machine, the data folder and the store, and say how to repair what is wrong',
    example: 'plumb doctor --org Acme --all',
  })
    .option('--org <org>', 'only what concerns this organisation, by identifier or name')
    .option('--all', 'everything that was found, not only three examples of each check')
    .action(async ({ org, all = false, json = false }: DoctorOptions) => {
      const settings = settingsOf(context);
      const { connectToServer } = await import('../server-connection.ts');
      const server = await connectToServer(settings);
      // A document that programs read is whole.
      const asked = { ...(org === undefined ? {} : { org }), isWhole: all || json };
      const found = server ? await server.operations.examine(asked) : await examineHere(context, settings, asked);
      const isWell = found.every(({ status }) => status !== 'problem');
      if (!isWell) context.exitWith(exitCode.failed);
      const width = Math.min(maxWidth, screenWidth(context.terminal) ?? maxWidth);
      print(context.terminal, json, {
        json: { ok: isWell, checks: found.map(checkView) },
        text: json ? '' : diagnosesText(found, { width, isWhole: all }),
      });
    });
}

const checkView = (diagnosis: Diagnosis) => ({
  name: diagnosis.name,
  status: diagnosis.status,
  detail: wholeDetail(diagnosis),
  ...(diagnosis.findings ? { count: totalOf(diagnosis.findings) } : {}),
});

async function examineHere(
  { terminal }: Context,
  settings: Settings,
  asked: { readonly org?: string; readonly isWhole: boolean },
): Promise<readonly Diagnosis[]> {
  const { examine } = await import('../../safety/doctor.ts');
  const { recordChecks } = await import('../../control/record-checks.ts');
  const { messageChecks } = await import('../../control/message-diagnoses.ts');
  const { sourceChecks } = await import('../../control/source-diagnoses.ts');
  return examine({
    ...settings,
    ...asked,
    environment: terminal.environment,
    now: new Date(),
    recordChecks,
    storeChecks: [...sourceChecks(settings), ...messageChecks],
  });
}
