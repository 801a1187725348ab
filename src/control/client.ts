import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { RecordLine } from '../directory/records.ts';
import { type Reason, Refusal } from '../refusal.ts';
import type { ServerNotice } from '../server-notice.ts';
import { operationForms } from './operation-forms.ts';
import type { Operations } from './operations.ts';
import type { OperationFailure } from './server.ts';
import { receivedRows, sendLines } from './streaming.ts';
import type { Streams } from './streams.ts';

/** Whether the server that left this notice still lives and is the one it says it is. */
export async function answers(notice: ServerNotice): Promise<boolean> {
  try {
    const response = await ask(notice, 'GET', 'ping', undefined, '', 2_000);
    return response.statusCode === 200 && (JSON.parse(await textOf(response)) as { pid: number }).pid === notice.pid;
  } catch {
    return false;
  }
}

/** The operations of the server that owns the data folder, called as if they were here. */
export function remoteOperations(notice: ServerNotice, user: string): Operations & Streams {
  // Line by line, so that the server can read them so, too.
  const sendBehind = (name: string, input: object, lines: AsyncIterable<RecordLine>) =>
    askWith(notice, 'POST', name, user, (asked) => sendLines(asked, input, lines));
  const passing = {
    value: (name: string) => async (input: unknown) =>
      answerOf(await ask(notice, 'POST', name, JSON.stringify(input), user).catch(gone)),
    batch: (name: string) => async (batch: { readonly lines: readonly RecordLine[] }) => {
      const { lines, ...input } = batch;
      return answerOf(await sendBehind(name, input, each(lines)).catch(gone));
    },
    rows: (name: string) => (input: object) => rowsOf(notice, name, input, user),
    lines: (name: string) => async (input: object, lines: AsyncIterable<RecordLine>) => {
      const response = await sendBehind(name, input, lines);
      const { socket } = response;
      try {
        return await answerOf(response);
      } finally {
        // A server that refuses what it has seen answers before the end: the rest need not be sent.
        socket.destroy();
      }
    },
  };
  const operations = Object.entries(operationForms).map(([name, form]) => [name, passing[form](name)]);
  return Object.fromEntries(operations) as Operations & Streams;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* rowsOf(notice: ServerNotice, name: string, input: object, user: string): AsyncGenerator<Uint8Array> {
  const response = await ask(notice, 'POST', name, JSON.stringify(input), user).catch(gone);
  if (response.statusCode !== 200) await answerOf(response);
  yield* receivedRows(response);
}

async function answerOf(response: IncomingMessage): Promise<unknown> {
  const body = JSON.parse(await textOf(response).catch(gone)) as unknown;
  if (response.statusCode === 200) return body;
  const { reason, message } = body as OperationFailure;
  throw reason === null ? new Error(message) : new Refusal(reason as Reason, message);
}

export async function* remoteBackup(notice: ServerNotice, user: string, org?: string): AsyncIterable<Uint8Array> {
  const name = org === undefined ? 'backup' : `backup?${new URLSearchParams({ org })}`;
  const response = await ask(notice, 'GET', name, undefined, user).catch(gone);
  if (response.statusCode !== 200) await answerOf(response);
  // A server that fails half way breaks the connection, which ends this with an error rather than with a short file.
  yield* response as AsyncIterable<Uint8Array>;
}

function gone(): never {
  throw new Refusal(
    'unavailable',
    'The running server stopped answering, so it is not known whether this was done. Run the command again.',
  );
}

function ask(
  notice: ServerNotice,
  method: 'GET' | 'POST',
  name: string,
  body: string | undefined,
  user: string,
  timeoutMs?: number,
): Promise<IncomingMessage> {
  return askWith(notice, method, name, user, async (asked) => void asked.end(body), timeoutMs);
}

/** What cannot be sent to its end is broken off, so that the server does not take a part for the whole. */
function askWith(
  { controlPort, token }: ServerNotice,
  method: 'GET' | 'POST',
  name: string,
  user: string,
  send: (asked: ClientRequest) => Promise<void>,
  timeoutMs?: number,
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
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject);
    send(asked).catch((error: unknown) => {
      reject(error);
      asked.destroy();
    });
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
