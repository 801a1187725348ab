import { readdirSync, statSync } from 'node:fs';
import { request as nodeRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import type { App } from '../../src/main.ts';
import { rowOf } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

export const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
export const grouped = { filters, group_by: ['pr_id', 'pr_title'] };
export const several = { ...grouped, metrics: ['pull-requests-count'] };

/** A long title of an own, with some characters that JSON and CSV write in ways of their own. */
export const titleOf = (i: number, length: number): string =>
  `=${i} "é\n\u001b`.repeat(Math.ceil(length / 9)).slice(0, length);

/** Pull requests with titles of some length, as they lie in the tables. */
export async function putTitles(app: App, organisationId: string, count: number, length: number): Promise<void> {
  await app.ingest.publisher.publish(organisationId);
  for (let from = 0; from < count; from += 20) {
    const rows = Array.from({ length: Math.min(20, count - from) }, (_, i) =>
      rowOf(pullRequests, {
        pr_id: `p${String(from + i).padStart(6, '0')}`,
        pr_created_at: 1_719_792_000,
        pr_title: titleOf(from + i, length),
      }),
    );
    await app.warehouse.change(organisationId, (session) => putRows(session, pullRequests, rows));
  }
}

/** What an answer has to be, in the words of JavaScript. */
export const expectedRows = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => ({
    date_level_not_set: true,
    pr_id: `p${String(i).padStart(6, '0')}`,
    pr_title: titleOf(i, length),
    pr_count: 1,
  }));

/** Bytes of files that answers take in a data folder. */
export function spooledIn(folder: string): number {
  const place = join(folder, 'warehouse');
  let bytes = 0;
  for (const name of readdirSync(place).filter((one) => one.startsWith('copy-'))) {
    for (const file of filesUnder(join(place, name))) {
      try {
        bytes += statSync(file).size;
      } catch {
        // It was read meanwhile, and is gone.
      }
    }
  }
  return bytes;
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export interface SlowReader {
  readonly socket: Socket;
  /** The status line, as far as it has come. */
  readonly head: Promise<string>;
  readonly closed: Promise<void>;
}

/** Asks, reads the head of the answer, and then nothing more, or a little now and then. */
export function readSlowly(
  port: number,
  path: string,
  key: string,
  body: object,
  { every = 0 }: { readonly every?: number } = {},
): SlowReader {
  const text = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    ),
  );
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const head = new Promise<string>((resolve) => {
    socket.once('data', (piece: Buffer) => {
      socket.pause();
      resolve(piece.toString('latin1').split('\r\n\r\n')[0] ?? '');
    });
    socket.once('close', () => resolve(''));
  });
  if (every > 0) {
    void head.then(() => socket.on('data', () => socket.pause()));
    const timer = setInterval(() => socket.resume(), every);
    void closed.then(() => clearInterval(timer));
  } else {
    // A closed connection is only noticed by whoever writes or reads.
    const timer = setInterval(() => socket.write(''), 200);
    void closed.then(() => clearInterval(timer));
  }
  return { socket, head, closed };
}

export interface AnswerSize {
  readonly status: number;
  readonly bytes: number;
  readonly retryAfter: string | undefined;
}

/** Asks and counts, without keeping what comes. */
export function count(port: number, path: string, key: string, body: object, accept?: string): Promise<AnswerSize> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = nodeRequest(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path,
        agent: false,
        headers: {
          authorization: key,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...(accept === undefined ? {} : { accept }),
        },
      },
      (response) => {
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, bytes, retryAfter: response.headers['retry-after'] }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(text);
  });
}
