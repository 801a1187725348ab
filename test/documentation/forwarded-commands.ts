import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import { plumb } from '../../src/cli/run-command-line.ts';

interface TypedCommand {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** What was written on 1, standard output, and 2, standard error, in its order; and the exit code. */
interface CommandEnd {
  readonly written: readonly (readonly [place: 1 | 2, text: string])[];
  readonly code: number;
}

/** Sends its words, its folder, its environment and its input to a socket, and ends as the answer says. */
const client = (socket: string) => `
const { createConnection } = require('node:net');
const { readFileSync, writeSync } = require('node:fs');
const stdin = readFileSync(0, 'utf8');
const connection = createConnection(${JSON.stringify(socket)});
const asked = { words: process.argv.slice(2), folder: process.cwd(), environment: process.env, stdin };
connection.end(JSON.stringify(asked));
let answer = '';
connection.setEncoding('utf8').on('data', (chunk) => { answer += chunk; });
connection.on('end', () => {
  const { written, code } = JSON.parse(answer);
  for (const [place, text] of written) writeSync(place, text);
  process.exitCode = code;
});
`;

export interface ForwardedCommands {
  readonly client: string;
  close(): Promise<void>;
}

/**
 * Commands that are typed in a shell and run in this process: a process that only passes them on starts in a twentieth of
 * the time. One after another, since each of them has the folder in which it was typed.
 */
export function forwardCommands(place: string): ForwardedCommands {
  const path = `${place}.socket`;
  let before: Promise<unknown> = Promise.resolve();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const ended = before.then(async () => socket.end(JSON.stringify(await runTyped(await commandFrom(socket)))));
    before = ended.catch((error: unknown) => socket.destroy(error as Error));
    socket.on('error', () => {});
  });
  server.listen(path);
  writeFileSync(`${place}.cjs`, client(path));
  return { client: `${place}.cjs`, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function commandFrom(socket: Socket): Promise<TypedCommand> {
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.prototype.iterator.call(socket, { destroyOnReturn: false })) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as TypedCommand;
}

async function runTyped({ words, folder, environment, stdin }: TypedCommand): Promise<CommandEnd> {
  const written: [1 | 2, string][] = [];
  const stream = (place: 1 | 2) =>
    new Writable({
      decodeStrings: false,
      write(chunk: Buffer | string, _encoding, done) {
        written.push([place, String(chunk)]);
        done();
      },
    });
  const [here, own] = [process.cwd(), { ...process.env }];
  const umask = process.umask(0o077);
  process.chdir(folder);
  // Sources read their tokens from there.
  Object.assign(process.env, environment);
  try {
    const code = await plumb(words, {
      stdin: Readable.from([Buffer.from(stdin)]).pipe(new PassThrough()),
      stdout: stream(1),
      stderr: stream(2),
      environment: { ...environment, PLUMB_THREADS: '1' },
    });
    return { written, code };
  } finally {
    process.chdir(here);
    for (const name of Object.keys(environment)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
    process.umask(umask);
  }
}
