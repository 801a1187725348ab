import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environmentForFewRows } from './how-long.ts';

const root = join(import.meta.dirname, '..', '..');

/** Nothing of the developer's own environment may decide a test. */
function environmentFor(folder: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(PLUMB_|DATABASE_URL|CLICKHOUSE_URL|VITEST|NODE_ENV)/.test(name),
  );
  const usual = { PLUMB_DATA: folder, PLUMB_PORT: '0', PLUMB_LOG: 'warn', ...environmentForFewRows };
  return { ...Object.fromEntries(own), ...usual, ...extra };
}

interface Limits {
  /** Where the version lies that is to run: this one unless given. It has been built. */
  readonly version?: string;
  /** How many files and connections the process may have open, as `ulimit -n` sets it. */
  readonly fileDescriptors?: number;
  /** The one processor that it runs on. Needs `taskset`. */
  readonly processor?: number;
}

function start(
  folder: string,
  args: readonly string[],
  extra: Readonly<Record<string, string>>,
  { fileDescriptors, processor, version = root }: Limits = {},
): ChildProcess {
  if (!existsSync(join(version, 'dist'))) throw new Error('Plumb is not built: run `npm run build` first.');
  const options = { cwd: version, env: environmentFor(folder, extra) };
  const words = [process.execPath, 'bin/plumb.cjs', ...args];
  if (processor !== undefined) return spawn('taskset', ['-c', String(processor), ...words], options);
  if (fileDescriptors === undefined) return spawn(process.execPath, words.slice(1), options);
  return spawn('sh', ['-c', `ulimit -n ${fileDescriptors}; exec "$@"`, 'sh', ...words], options);
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The document that `--json` printed. */
  json<T = Record<string, unknown>>(): T;
}

/** Runs the real `plumb` command, compiled, in a process of its own. */
export async function runPlumb(
  folder: string,
  args: readonly string[],
  {
    stdin,
    environment = {},
    ...limits
  }: { readonly stdin?: string; readonly environment?: Readonly<Record<string, string>> } & Limits = {},
): Promise<Finished> {
  const child = start(folder, args, environment, limits);
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  const printed = stdout();
  return { code, stdout: printed, stderr: stderr(), json: () => JSON.parse(printed) };
}

export interface ServingPlumb {
  readonly url: string;
  readonly adminUrl: string | null;
  /** All that it printed when it was ready. */
  readonly greeting: unknown;
  readonly child: ChildProcess;
  /** Of the process that serves: with PLUMB_MEMORY it is not the one that was started. */
  readonly pid: number;
  stderr(): string;
  /** Ends it the hard way, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Asks it to end, and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs the real `plumb serve` on a free port. */
export async function servePlumb(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
  limits: Limits = {},
): Promise<ServingPlumb> {
  const child = start(folder, ['serve', '--json', ...args], environment, limits);
  const stderr = collected(child.stderr);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const line = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`plumb serve ended with ${code}: ${stderr()}`)));
  });
  // Earlier versions have no local_url.
  const greeting = JSON.parse(line) as { url: string; local_url?: string; admin_url: string | null; pid: number };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return {
    url: greeting.local_url ?? greeting.url,
    adminUrl: greeting.admin_url,
    greeting,
    child,
    pid: greeting.pid,
    stderr,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: (signal = 'SIGTERM') => end(signal),
  };
}

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
