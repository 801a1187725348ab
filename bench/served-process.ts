import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A child process that says on its first line of output where it listens. */
export interface ServedProcess {
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
}

export function startPlumb(folder: string, environment: Readonly<Record<string, string>> = {}): Promise<ServedProcess> {
  return started(['bin/plumb.cjs', 'serve', '--json'], {
    PLUMB_DATA: folder,
    PLUMB_PORT: '0',
    // As in production, except that nothing may be refused for coming too fast.
    PLUMB_RATE_LIMIT: '0',
    ...environment,
  });
}

/** Headers that Node.js writes by itself. */
const ownHeaders: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** The floor: what Node.js itself needs to send this answer, its headers and its bytes. */
export function startBareServer(bytesFile: string, answered: Headers): Promise<ServedProcess> {
  const headers = Object.fromEntries([...answered].filter(([name]) => !ownHeaders.has(name)));
  return started(['bench/bare-server.mjs', bytesFile, JSON.stringify(headers)], {});
}

/** Runs a `plumb` command to its end and answers the JSON it printed. */
export const plumb = (folder: string, ...args: string[]): Promise<unknown> =>
  plumbWith({ PLUMB_DATA: folder }, ...args);

/** The same, where the environment says more than the data folder. */
export async function plumbWith(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['bin/plumb.cjs', ...args, '--json'], {
    cwd: root,
    // Plumb refuses settings that it does not know, and this one is the measurement's.
    env: { ...process.env, PLUMB_BENCH_SHARE: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`plumb ${args.join(' ')} ended with ${code}: ${printed}`);
  return JSON.parse(printed);
}

async function started(args: string[], environment: Readonly<Record<string, string>>): Promise<ServedProcess> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    // Plumb refuses settings that it does not know, and this one is the measurement's.
    env: { ...process.env, PLUMB_BENCH_SHARE: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await firstLine(child);
  const { url } = JSON.parse(line) as { url?: string };
  if (url === undefined) throw new Error(line);
  await (await fetch(`${url}/readyz`)).arrayBuffer();
  const startMs = performance.now() - began;
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const end = printed.indexOf('\n');
      if (end >= 0) resolve(printed.slice(0, end));
    });
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it listened`)));
  });
}
