import { Command } from 'commander';
import { readSettings, type Settings } from '../config.ts';
import { Refusal } from '../refusal.ts';
import type { ExitCode } from './exit-code.ts';
import type { CommandConnection } from './server-connection.ts';
import { print, type Report, type Terminal } from './terminal.ts';

/** The parts that every command gets beside its own options. */
export interface Context {
  readonly terminal: Terminal;
  /** Set by a command that ends with something else than 0 without having failed. */
  exitWith(code: ExitCode): void;
}

interface CommandDescription {
  readonly summary: string;
  /** Shown first in the help: a line that works when pasted and adapted. */
  readonly example: string;
}

/** A command whose help begins with an example, and which can speak JSON. */
export function command(name: string, { summary, example }: CommandDescription): Command {
  return new Command(name)
    .description(summary)
    .addHelpText('before', `Example:\n  ${example}\n`)
    .option('--json', 'print one JSON document on standard output');
}

/** A word that only leads to further commands: `plumb org …`. */
export function group(name: string, { summary, example }: CommandDescription, ...commands: Command[]): Command {
  const parent = new Command(name).description(summary).addHelpText('before', `Example:\n  ${example}\n`);
  for (const child of commands) parent.addCommand(child);
  return parent;
}

export function settingsOf({ terminal }: Context): Settings {
  return readSettings(terminal.environment);
}

/** Opens the way to the data, does the work there, and prints what it reports. */
export async function withConnection(
  context: Context,
  { json }: { readonly json?: boolean },
  work: (connection: CommandConnection, settings: Settings) => Promise<Report>,
): Promise<void> {
  const settings = settingsOf(context);
  // Loaded when it is needed, so that --help does not wait for a database engine.
  const { connect } = await import('./command-connection.ts');
  const connection = await connect(settings);
  let report: Report;
  try {
    report = await work(connection, settings);
  } finally {
    await connection.close();
  }
  // The command is done only now: a connection that fails to close must not add a second document.
  print(context.terminal, json === true, report);
}

/** `KEY=VALUE` words as fields; an empty value clears. `form` is how the help writes such a word. */
export function assignments(words: readonly string[], form = 'KEY=VALUE'): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new Refusal('bad-input', `'${word}' must be ${form}.`);
    const name = word.slice(0, at);
    if (Object.hasOwn(fields, name)) throw new Refusal('bad-input', `'${name}' is given twice.`);
    fields[name] = word.slice(at + 1);
  }
  return fields;
}

/** One value for each time an option is given. */
export const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Options that were given. */
export const definedOnly = <T extends object>(fields: T): { [N in keyof T]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
