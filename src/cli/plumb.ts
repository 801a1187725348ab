import { Command, CommanderError } from 'commander';
import { Refusal } from '../refusal.ts';
import { version } from '../version.ts';
import type { Context } from './command.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { keyCommands } from './commands/key.ts';
import { orgCommands } from './commands/org.ts';
import { personCommands } from './commands/person.ts';
import { queryCommand } from './commands/query.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { verifyCommand } from './commands/verify.ts';
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts';
import { print, say, type Terminal } from './terminal.ts';

/** Runs one command line and answers its exit code. */
export async function plumb(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const context: Context = {
    terminal,
    exitWith: (wanted) => {
      code = wanted;
    },
  };
  const program = new Command('plumb')
    .description('Engineering metrics of an organisation, through one query grammar.')
    .version(version, '--version', 'print the version')
    .addHelpText('before', 'Example:\n  plumb serve\n')
    .addHelpText('after', '\nSettings come from the environment: see `plumb serve --help`.');
  for (const command of [
    serveCommand(context),
    demoCommand(context),
    orgCommands(context),
    personCommands(context),
    keyCommands(context),
    importCommand(context),
    exportCommand(context),
    queryCommand(context),
    auditCommand(context),
    doctorCommand(context),
    backupCommand(context),
    restoreCommand(context),
    verifyCommand(context),
  ]) {
    program.addCommand(command);
  }
  prepare(program, terminal);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(terminal, words.includes('--json'), error);
    else if (error.exitCode !== 0 && words.includes('--json')) {
      print(terminal, true, { json: { detail: error.message.replace(/^error: /, '') }, text: '' });
    }
    return exitCodeOf(error);
  }
}

/** Nothing ends the process but the end of the program, and a wrong word is answered with the right ones. */
function prepare(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help for an example and all options)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  for (const child of command.commands) prepare(child, terminal);
}

function fail(terminal: Terminal, asJson: boolean, error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  if (asJson) print(terminal, true, { json: { detail }, text: '' });
  say(terminal, error instanceof Refusal ? detail : `Plumb failed: ${error instanceof Error ? error.stack : detail}`);
}
