import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FurtherHandles, type ListeningServer } from '../listening-handles.ts';
import { Refusal } from '../refusal.ts';
import { formOf } from './operation-forms.ts';
import type { Operations } from './operations.ts';
import { jsonLines, receivedLines, sendBytes } from './streaming.ts';

/** The answer to a command whose operation failed: a refusal in its own words, or that it was our fault. */
export interface OperationFailure {
  readonly reason: string | null;
  readonly message: string;
}

interface ControlParts {
  /** The operations, done in the name of the operator who typed the command. */
  readonly operationsFor: (user: string) => Operations;
  readonly onError: (error: unknown) => void;
}

export interface ControlServer extends Pick<ListeningServer, 'server' | 'further'> {
  readonly port: number;
  /** Written into the data folder, readable by its owner only: who can read that may administer. */
  readonly token: string;
  close(): Promise<void>;
}

/** The door for commands while a server owns the data folder: loopback only, and only with the folder's token. */
export async function startControlServer(parts: ControlParts): Promise<ControlServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    answer(parts, token, request, response).catch((error) => {
      parts.onError(error);
      response.destroy();
    });
  });
  // A strict import sends its records no faster than they are taken, and that may be hours.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const further = new FurtherHandles(server);
  return {
    server,
    further,
    port: (server.address() as AddressInfo).port,
    token,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.all([closed, further.close()]);
    },
  };
}

async function answer(
  parts: ControlParts,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isToken(request.headers.authorization ?? '', token)) {
    request.resume();
    return send(response, 401, { reason: 'unauthenticated', message: 'Wrong token.' });
  }
  const name = (request.url ?? '').slice(1);
  if (request.method === 'GET' && name === 'ping') return send(response, 200, { pid: process.pid });
  try {
    const user = decodeURIComponent(String(request.headers['x-plumb-user'] ?? 'unknown'));
    await run(parts.operationsFor(user), name, request, response);
  } catch (error) {
    request.resume();
    // Half of an answer can only be broken off.
    if (response.headersSent) throw error;
    if (!(error instanceof Refusal)) parts.onError(error);
    send(response, 500, failureOf(error));
  }
}

/** Takes the input of an operation and gives its result in the form that its client expects. */
async function run(
  operations: Operations,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const operation = Object.hasOwn(operations, name) ? operations[name as keyof Operations] : undefined;
  if (request.method !== 'POST' || !operation) {
    throw new Refusal('not-found', `The running server does not know '${name}'.`);
  }
  const work = operation as (input: unknown, lines?: unknown) => unknown;
  const form = formOf(name);
  if (form === 'lines') {
    const { input, lines } = await receivedLines(request);
    return send(response, 200, await work(input, lines));
  }
  const result = work(await json(request));
  if (form === 'bytes') return sendBytes(response, result as AsyncIterable<Uint8Array>);
  if (form === 'steps') return sendBytes(response, jsonLines(result as AsyncIterable<unknown>));
  send(response, 200, await result);
}

const failureOf = (error: unknown): OperationFailure =>
  error instanceof Refusal
    ? { reason: error.reason, message: error.message }
    : { reason: null, message: 'The running server failed. Its log says why.' };

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isToken(shown: string, token: string): boolean {
  const a = Buffer.from(shown);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}
