import { PassThrough, Readable, Writable } from 'node:stream';
import { plumb } from '../../src/cli/run-command-line.ts';
import { environmentForFewRows } from './how-long.ts';
import type { Finished } from './plumb-process.ts';

/** The `plumb` command in this process: the same words and answers, without the time that a process takes to start. */
export async function callPlumb(
  folder: string,
  args: readonly string[],
  {
    stdin = '',
    environment = {},
    screen,
    isTyped = false,
  }: {
    readonly stdin?: string;
    /** Whether somebody types it at a terminal. */
    readonly isTyped?: boolean;
    readonly environment?: Readonly<Record<string, string>>;
    /** How wide the screen is that somebody looks at; a pipe without. */
    readonly screen?: number;
  } = {},
): Promise<Finished> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  if (screen !== undefined) Object.assign(stdout, { isTTY: true, columns: screen });
  const code = await plumb(args, {
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]).pipe(new PassThrough()), { isTTY: isTyped }),
    stdout,
    stderr,
    environment: { PLUMB_DATA: folder, PLUMB_PORT: '0', PLUMB_LOG: 'warn', ...environmentForFewRows, ...environment },
  });
  return { code, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) };
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }
}
