import { PassThrough, Writable } from 'node:stream';
import { startServer } from '../../src/cli/start-server.ts';
import { welcome } from '../../src/cli/welcome.ts';
import { readSettings } from '../../src/config.ts';
import { throwAway } from './thrown-away.ts';

export interface CalledServer {
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Of this process. */
  readonly pid: number;
  /** All that `--demo` prints when it is ready. */
  readonly greeting: object | undefined;
  stderr(): string;
  stop(): Promise<void>;
  /** Stops it where nobody opens its folder again: nothing is put in order in its files. */
  abandon(): Promise<void>;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * `plumb serve` on a free port in this process: the same server for commands and requests, without the processor second
 * that a process takes to start. Signals, exit codes and kills need `servePlumb`.
 */
export async function callServer(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<CalledServer> {
  let said = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk);
      done();
    },
  });
  const terminal = { stdin: new PassThrough(), stdout: new PassThrough().resume(), stderr, environment };
  const settings = readSettings({
    PLUMB_DATA: folder,
    PLUMB_PORT: '0',
    PLUMB_LOG: 'warn',
    PLUMB_THREADS: '1',
    ...environment,
  });
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  // Many connections at once are what a process is started for.
  const server = await startServer(settings, terminal, { withFurtherHandles: false });
  // A signal is for the process of the tests, which ends by it.
  for (const [signal, listeners] of before) {
    for (const added of process.listeners(signal)) if (!listeners.includes(added)) process.off(signal, added);
  }
  const { url, adminUrl } = server;
  const stop = () => server.stop();
  const abandon = async () => {
    await throwAway(folder);
    await stop();
  };
  try {
    const greeting = isDemo ? (await welcome(server, terminal, true)).json : undefined;
    return { url, adminUrl, pid: process.pid, greeting, stderr: () => said, stop, abandon };
  } catch (error) {
    await stop();
    throw error;
  }
}
