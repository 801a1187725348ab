import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { SourceProblem } from '../source.ts';

/**
 * A clone may come from anybody, and its configuration can name programs to run. None of them runs: no hooks, no file
 * system monitor, no signature checks, no diff programs (`--no-ext-diff --no-textconv` beside each diff); and nothing is
 * fetched, not even the objects that a partial clone lacks.
 */
const hardening = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.allow=never',
  'log.showSignature=false',
].flatMap((setting) => ['-c', setting]);

/** Nothing of this process but what finds git and the settings of the user it runs as: secrets stay here. */
function environmentFor(path: string): NodeJS.ProcessEnv {
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  return {
    PATH,
    HOME,
    XDG_CONFIG_HOME,
    // Messages are compared below.
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    // History as the host has it, not as somebody replaced it here.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: '',
    // A folder that is no clone must not become the repository that it lies in.
    GIT_CEILING_DIRECTORIES: dirname(path),
  };
}

export interface GitCall {
  /** The folder of the clone, without links. It is the working folder, so that no name of a folder is ever an option. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Exit codes besides 0 that are answers. */
  readonly alsoGood?: readonly number[];
}

/** The output of git, piece by piece as NUL ends them, so that no more than one piece is held. */
export async function* gitPieces(
  args: readonly string[],
  { path, signal, alsoGood = [] }: GitCall,
): AsyncGenerator<string> {
  signal.throwIfAborted();
  const git = spawn('git', [...hardening, ...args], {
    cwd: path,
    env: environmentFor(path),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    git.once('error', reject);
    git.once('close', resolve);
  });
  // Awaited below, and after an early return by nobody.
  exit.catch(() => undefined);
  const stop = () => git.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  let complaint = '';
  git.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < maxComplaintLength) complaint += text;
  });
  try {
    let rest = '';
    for await (const chunk of git.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      const pieces = (rest + chunk).split('\0');
      rest = pieces.pop() ?? '';
      yield* pieces;
    }
    if (rest !== '') yield rest;
    const code = await exit;
    signal.throwIfAborted();
    if (code !== 0 && !alsoGood.includes(code ?? -1)) throw problemOf(complaint, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notInstalled();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** The whole output of git, for what is short. */
export async function gitText(args: readonly string[], call: GitCall): Promise<string> {
  let text = '';
  for await (const piece of gitPieces(args, call)) text += text === '' ? piece : `\0${piece}`;
  return text.trimEnd();
}

/** An object that the clone lacks, or that cannot be read. */
export class MissingObjects extends SourceProblem {
  constructor(path: string) {
    super(`${path} lacks objects of its history`, cloneWhole);
  }
}

export const cloneWhole =
  'Clone it whole: without --filter, and if it borrows objects of another clone, with that one in place.';

const maxComplaintLength = 10_000;

const notInstalled = (): SourceProblem =>
  new SourceProblem(
    'git is not installed where Plumb runs',
    'Install git 2.31 or newer, and see that it is on the PATH.',
  );

/** Messages of git are compared and never quoted: they may hold names of files and of people. */
function problemOf(complaint: string, path: string): SourceProblem {
  if (complaint.includes('dubious ownership')) {
    return new SourceProblem(
      `${path} belongs to another user than the one that Plumb runs as`,
      `Let git trust it: git config --global --add safe.directory '${path}', as the user that Plumb runs as.`,
    );
  }
  if (complaint.includes('not a git repository')) {
    return new SourceProblem(
      `${path} is not a git repository`,
      'Give the folder of a clone, where .git lies, or a bare one.',
    );
  }
  if (/promisor|lazy fetch|missing blob|unable to read|bad object|could not get object|corrupt/i.test(complaint)) {
    return new MissingObjects(path);
  }
  if (complaint.includes('Permission denied')) {
    return new SourceProblem(`${path} cannot be read`, 'Let the user that Plumb runs as read all of it.');
  }
  return new SourceProblem(`git failed in ${path}`, 'Run git fsck there, and see whether git log works.', {
    mayPass: true,
  });
}
