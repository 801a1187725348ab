import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { Drain, drainOnClose } from '../src/http/drain.ts';
import { addFurtherHandles, FurtherHandles } from '../src/listening-handles.ts';
import { bundleScript } from './setup/bundled-script.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function listenWith(count: number): Promise<{ server: Server; further: FurtherHandles }> {
  const server = createHttpServer((_asked, answer) => answer.end('here'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const further = new FurtherHandles(server);
  closing.push(() => Promise.all([further.close(), new Promise((resolve) => server.close(resolve))]));
  if (count > 0) expect(await addFurtherHandles([{ server, further, count }])).toBe(true);
  expect(further.count).toBe(count);
  return { server, further };
}

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  closing.push(() => socket.destroy());
  return socket;
}

/** How many turns of the event loop it takes until as many connections as arrived at once are accepted. */
async function turnsFor(server: Server, connections: number): Promise<number> {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  for (let i = 0; i < connections; i += 1) open(portOf(server));
  let turns = 0;
  for (; accepted < connections && turns < 10 * connections; turns += 1) await turn();
  expect(accepted).toBe(connections);
  return turns;
}

test('Connections that arrive at once are accepted sixteen in a turn of the event loop, and not one', async () => {
  expect(await turnsFor((await listenWith(0)).server, 160)).toBeGreaterThanOrEqual(160);
  expect(await turnsFor((await listenWith(15)).server, 160)).toBeLessThan(40);
});

test('A server goes on by itself where no process can be started for its handles', async () => {
  const { server, further } = await listenWith(0);
  // As Node answers where the machine has no descriptors left.
  const withoutChannel = Object.assign(new EventEmitter(), { connected: false, unref: () => {} });
  const start = (() => withoutChannel) as unknown as typeof spawn;
  expect(await addFurtherHandles([{ server, further, count: 3 }], start)).toBe(false);
  expect(further.count).toBe(0);
});

test('A caller that ends its side first is answered, whichever handle accepts it', async () => {
  const { server } = await listenWith(7);
  const answers = Array.from({ length: 32 }, async () => {
    const socket = open(portOf(server));
    socket.end('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    return (await socket.toArray()).join('');
  });
  for (const answer of await Promise.all(answers)) expect(answer).toContain('here');
});

test('Closing answers what came through any handle, and then nobody listens on the port', async () => {
  let [answer, asked] = [() => {}, 0];
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const app = fastify({ return503OnClosing: false });
  drainOnClose(app, new Drain());
  app.get('/', async () => {
    asked += 1;
    await mayAnswer;
    return 'here';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { server, furtherHandles: further } = app;
  const port = portOf(server);
  await addFurtherHandles([{ server, further, count: 7 }]);
  const responses = Array.from({ length: 32 }, () => {
    const sent = request({ port, host: '127.0.0.1' }).end();
    return once(sent, 'response') as Promise<[IncomingMessage]>;
  });
  await expect.poll(() => asked).toBe(32);
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await turn();
  expect(isClosed).toBe(false);
  // Nobody new is let in while the others still wait.
  const outcome = once(open(port), 'connect').then(
    () => 'let in',
    ({ code }: NodeJS.ErrnoException) => code,
  );
  expect(await outcome).toBe('ECONNREFUSED');
  answer();
  for (const response of responses) expect((await (await response)[0].toArray()).join('')).toBe('here');
  await closed;
  const late = open(port);
  const [error] = await once(late, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('Connections that arrive while the handles are on their way are all answered', async () => {
  const { server, further } = await listenWith(0);
  const added = addFurtherHandles([{ server, further, count: 15 }]);
  let [isAdded, answered] = [false, 0];
  void added.then(() => {
    isAdded = true;
  });
  while (!isAdded) {
    const socket = open(portOf(server));
    socket.end('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect((await socket.toArray()).join('')).toContain('here');
    answered += 1;
  }
  expect(answered).toBeGreaterThan(5);
});

test('Handles that come back after the server was closed are let go of', async () => {
  const { server, further } = await listenWith(0);
  const added = addFurtherHandles([{ server, further, count: 3 }]);
  await further.close();
  expect(await added).toBe(true);
  expect(further.count).toBe(0);
});

test('A server that is killed while its handles are on their way leaves nobody on its port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-listening-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const script = await bundleScript(join(import.meta.dirname, 'listening-child.ts'), folder);
  for (const ms of [20, 50, 80]) {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(child.stdout, 'data');
    await pause(ms);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const refused = () =>
      new Promise<boolean>((resolve) => {
        open(Number(port))
          .once('connect', () => resolve(false))
          .once('error', () => resolve(true));
      });
    await expect.poll(refused).toBe(true);
  }
});
