import { readFileSync, statSync } from 'node:fs';
import { SourceProblem } from './source.ts';

const reference = /^(env|file):(.*)$/s;
const maxFileBytes = 64 * 1024;

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Whether a setting says where its value is, `env:NAME` or `file:PATH`, instead of giving it. */
export const isReference = (text: string): boolean => reference.test(text);

/** Why such a reference is never followed; undefined where it may be. Plumb's own settings are nobody's token. */
export function referenceProblem(text: string): string | undefined {
  const [, kind, name = ''] = reference.exec(text) ?? [];
  if (kind === 'file') return name.startsWith('/') ? undefined : 'must name a file by its whole path, file:/…';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'must name a variable of the environment, env:NAME';
  return /^(PLUMB_|DATABASE_URL|CLICKHOUSE_URL)/i.test(name)
    ? `must not name ${name}, a setting of Plumb itself`
    : undefined;
}

/** The value as it is now. It is read at each use, so that a renewed token works without a change in Plumb. */
export function resolveReference(text: string, environment: EnvironmentVariables): string {
  const [, kind, name = ''] = reference.exec(text) ?? [];
  const problem = referenceProblem(text);
  if (problem !== undefined) throw new SourceProblem(`A setting ${problem}`, 'Set it again with `plumb source set`.');
  return kind === 'file' ? fromFile(name) : fromEnvironment(name, environment);
}

function fromEnvironment(name: string, environment: EnvironmentVariables): string {
  const value = environment[name]?.trim() ?? '';
  if (value !== '') return value;
  throw new SourceProblem(
    `The environment of this server has no ${name}`,
    `Set ${name} where the server is started, and start it again.`,
  );
}

function fromFile(path: string): string {
  let value: string;
  try {
    const { size } = statSync(path);
    if (size > maxFileBytes) {
      throw new SourceProblem(
        `The file ${path} is too large for a setting`,
        'Name the file that holds only the value.',
      );
    }
    value = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof SourceProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SourceProblem(`The file ${path} cannot be read (${code})`, 'Let the user who runs the server read it.');
  }
  if (value !== '') return value;
  throw new SourceProblem(`The file ${path} is empty`, 'Put the value into it.');
}
