import { Command, CommanderError } from 'commander';
import { nearest } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { version } from '../version.ts';
import type { Context } from './command.ts';
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts';
import { print, say, type Terminal } from './terminal.ts';

type CommandMaker = (context: Context) => Command;

/** The order of the help. */
const commands: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  org: async () => (await import('./commands/org.ts')).orgCommands,
  person: async () => (await import('./commands/person.ts')).personCommands,
  key: async () => (await import('./commands/key.ts')).keyCommands,
  source: async () => (await import('./commands/source.ts')).sourceCommands,
  sync: async () => (await import('./commands/sync.ts')).syncCommand,
  secret: async () => (await import('./commands/secret.ts')).secretCommands,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  query: async () => (await import('./commands/query.ts')).queryCommand,
  board: async () => (await import('./commands/document-commands.ts')).boardCommands,
  goal: async () => (await import('./commands/document-commands.ts')).goalCommands,
  annotation: async () => (await import('./commands/document-commands.ts')).annotationCommands,
  alert: async () => (await import('./commands/document-commands.ts')).alertCommands,
  digest: async () => (await import('./commands/document-commands.ts')).digestCommands,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  metrics: async () => (await import('./commands/metrics.ts')).metricsCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

/** Only the command that is named is loaded, which takes a tenth of loading all. Help, completion and wrong words need all. */
function commandsFor([name = '']: readonly string[]): readonly (() => Promise<CommandMaker>)[] {
  if (name === '--version') return [];
  if (name === 'completion') return Object.values(commands);
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return named ? [named] : Object.values(commands);
}

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
  for (const load of commandsFor(words)) program.addCommand((await load())(context));
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

/** The process ends only at the end of the program, and a wrong word is answered with the right ones. */
function prepare(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help for an example and all options)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(`${text.trimEnd()}${optionHint(command, text)}\n`),
    });
  for (const child of command.commands) prepare(child, terminal);
}

/** Commander itself looks at the longer one of two names only: of --start, and not of --since. */
function optionHint(command: Command, text: string): string {
  const [, typed] = /unknown option '(--[^']+)'/.exec(text) ?? [];
  if (typed === undefined || text.includes('Did you mean')) return '';
  const [near] = nearest(
    typed,
    command.options.flatMap(({ short }) => short ?? []),
    1,
  );
  return near === undefined ? '' : `\n(Did you mean ${near}?)`;
}

function fail(terminal: Terminal, asJson: boolean, error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  if (asJson) print(terminal, true, { json: { detail }, text: '' });
  say(terminal, error instanceof Refusal ? detail : `Plumb failed: ${error instanceof Error ? error.stack : detail}`);
}
