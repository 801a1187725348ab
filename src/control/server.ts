import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FurtherHandles, type ListeningServer } from '../listening-handles.ts';
import { Refusal } from '../refusal.ts';
import { operationForms } from './operation-forms.ts';
import type { Operations } from './operations.ts';
import { receivedBatch, receivedLines, sendRows } from './streaming.ts';
import type { Streams, StrictInput } from './streams.ts';

/** What a command learns of an operation that failed: a refusal in its own words, or that it was our fault. */
export interface OperationFailure {
  readonly reason: string | null;
  readonly message: string;
}

interface ControlParts {
  /** The operations, done in the name of the operator who typed the command. */
  readonly operationsFor: (user: string) => Operations;
  /** Of everything, or of the organisation that is named. */
  readonly backupFor: (user: string, org: string | undefined) => AsyncIterable<Uint8Array>;
  readonly streamsFor: (user: string) => Streams;
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
  const [name = '', query] = (request.url ?? '').slice(1).split('?');
  if (request.method === 'GET' && name === 'ping') return send(response, 200, { pid: process.pid });
  const user = decodeURIComponent(String(request.headers['x-plumb-user'] ?? 'unknown'));
  if (request.method === 'GET' && name === 'backup') {
    return sendBackup(parts, parts.backupFor(user, new URLSearchParams(query).get('org') ?? undefined), response);
  }
  if (request.method !== 'POST' || !isOperation(name)) {
    request.resume();
    return send(response, 404, { reason: 'not-found', message: `The running server does not know '${name}'.` });
  }
  try {
    const form = operationForms[name];
    if (form === 'lines') {
      const { input, lines } = await receivedLines<StrictInput>(request);
      return send(response, 200, await parts.streamsFor(user).putStrictly(input, lines));
    }
    const input = form === 'batch' ? await receivedBatch<object>(request) : JSON.parse(await textOf(request));
    if (form === 'rows') {
      const rows = parts.streamsFor(user)[name as keyof Streams] as (input: unknown) => AsyncIterable<Uint8Array>;
      return await sendRows(response, rows(input));
    }
    const run = parts.operationsFor(user)[name as keyof Operations] as (input: unknown) => Promise<unknown>;
    return send(response, 200, await run(input));
  } catch (error) {
    request.resume();
    // Half of an answer can only be broken off.
    if (response.headersSent) throw error;
    return sendFailure(parts, response, error);
  }
}

const isOperation = (name: string): name is keyof typeof operationForms => Object.hasOwn(operationForms, name);

/** What is refused before the first byte is said in words; afterwards it can only be broken off. */
async function sendBackup(parts: ControlParts, bytes: AsyncIterable<Uint8Array>, response: ServerResponse) {
  const pieces = bytes[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array>;
  try {
    first = await pieces.next();
  } catch (error) {
    return sendFailure(parts, response, error);
  }
  const all = async function* () {
    try {
      if (!first.done) yield first.value;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  };
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  return pipeline(Readable.from(all()), response);
}

function sendFailure(parts: ControlParts, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refusal)) parts.onError(error);
  const failure: OperationFailure =
    error instanceof Refusal
      ? { reason: error.reason, message: error.message }
      : { reason: null, message: 'The running server failed; its log says why.' };
  send(response, 500, failure);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function isToken(shown: string, token: string): boolean {
  const a = Buffer.from(shown);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}
