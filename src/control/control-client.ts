import { type IncomingMessage, request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { RecordLine } from '../directory/put-records.ts';
import { type Reason, Refusal } from '../refusal.ts';
import type { ServerNotice } from '../server-notice.ts';
import type { OperationFailure } from './control-server.ts';
import { formOf, type OperationForm } from './operation-forms.ts';
import type { Operations } from './operations.ts';
import { receivedBytes, sentLines, valuesIn } from './streaming.ts';

/** Whether the server that left this notice still lives and is the one it says it is. */
export async function answers(notice: ServerNotice): Promise<boolean> {
  try {
    const response = await ask(notice, { method: 'GET', name: 'ping', timeoutMs: 2_000 });
    return response.statusCode === 200 && ((await json(response)) as { pid: number }).pid === notice.pid;
  } catch {
    return false;
  }
}

/** The operations of the server that owns the data folder, called as if they were here. */
export function remoteOperations(notice: ServerNotice, user: string): Operations {
  const post = (name: string, body: Iterable<string> | AsyncIterable<string>) =>
    ask(notice, { method: 'POST', name, user, body: Readable.from(body) });
  async function* bytes(name: string, input: unknown): AsyncGenerator<Uint8Array> {
    const response = await post(name, [JSON.stringify(input)]);
    if (response.statusCode !== 200) await answerOf(response);
    yield* receivedBytes(response);
  }
  const calling: Readonly<Record<OperationForm, (name: string) => unknown>> = {
    value: (name) => async (input: unknown) => answerOf(await post(name, [JSON.stringify(input)])),
    bytes: (name) => (input: unknown) => bytes(name, input),
    steps: (name) =>
      async function* (input: unknown) {
        for await (const steps of valuesIn(bytes(name, input))) yield* steps;
      },
    lines: (name) => async (input: unknown, lines: Iterable<RecordLine> | AsyncIterable<RecordLine>) => {
      const response = await post(name, sentLines(input, lines));
      const { socket } = response;
      try {
        return await answerOf(response);
      } finally {
        // A server that refuses what it has seen answers before the end: the rest need not be sent.
        socket.destroy();
      }
    },
  };
  // The server knows which operations there are. An object with a `then` would be taken for a promise.
  return new Proxy({} as Operations, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : calling[formOf(name)](name)),
  });
}

async function answerOf(response: IncomingMessage): Promise<unknown> {
  const body = await json(response).catch(() => {
    throw gone();
  });
  if (response.statusCode === 200) return body;
  const { reason, message } = body as OperationFailure;
  throw reason === null ? new Error(message) : new Refusal(reason as Reason, message);
}

const gone = (): Refusal =>
  new Refusal(
    'unavailable',
    'The running server stopped answering, so it is not known whether this was done. Run the command again.',
  );

interface ControlRequest {
  readonly method: 'GET' | 'POST';
  readonly name: string;
  readonly user?: string;
  readonly body?: Readable;
  readonly timeoutMs?: number;
}

/** A body that cannot be sent to its end is broken off, so that the server does not take a part for the whole. */
function ask(
  { controlPort, token }: ServerNotice,
  { method, name, user = '', body = Readable.from([]), timeoutMs }: ControlRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: controlPort,
        // The usual agent breaks off whatever says nothing for five seconds, which a backup or an import well may.
        agent: false,
        method,
        path: `/${name}`,
        headers: { authorization: token, 'x-plumb-user': encodeURIComponent(user) },
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      },
      resolve,
    );
    asked.on('timeout', () => asked.destroy());
    // Heard before the connection breaks because of it: a file that cannot be read is no fault of the server.
    body.on('error', reject);
    asked.on('error', () => reject(gone()));
    pipeline(body, asked, () => {});
  });
}
