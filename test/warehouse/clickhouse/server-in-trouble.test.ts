import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { LeasedStatements, ServerClock } from '../../../src/warehouse/clickhouse/leased-statements.ts';

const statement = { sql: 'SELECT 1', values: {} };
let server: Server;
let engine: ClickHouseEngine;

async function engineAt(answer: (response: ServerResponse, body: string) => void): Promise<void> {
  server = createServer(async (request, response) => answer(response, await text(request)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/plumb`;
  engine = new ClickHouseEngine(url, { watch: { everyMs: 50, answerMs: 200 } });
}
afterEach(async () => {
  await engine.close();
  server.closeAllConnections();
  server.close();
});

test.each([
  [502, '<html><head><title>502 Bad Gateway</title></head></html>'],
  [503, '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>'],
  [503, 'no healthy upstream'],
  [504, 'Gateway Timeout'],
  [502, ''],
])('A proxy that answers %i with %j says that the tables are away', async (status, text) => {
  await engineAt((response) => response.writeHead(status).end(text));
  const away = { reason: 'unavailable', hints: { retryAfterSeconds: 2 } };
  await expect(engine.lines(statement, { seconds: 1 })).rejects.toMatchObject(away);
  await expect(engine.run(statement)).rejects.toMatchObject(away);
});

test('Another text that is not of ClickHouse stays the error that it is', async () => {
  await engineAt((response) => response.writeHead(413).end('Request Entity Too Large'));
  await expect(engine.lines(statement, { seconds: 1 })).rejects.not.toHaveProperty('reason');
});

test('A server that takes a statement and never answers is not waited for', async () => {
  await engineAt(() => {});
  const asked = Promise.all([
    expect(engine.lines(statement, { seconds: 0.1 })).rejects.toMatchObject({ reason: 'too-slow' }),
    expect(engine.stream(statement, { seconds: 0.1 }).next()).rejects.toMatchObject({ reason: 'too-slow' }),
  ]);
  await asked;
}, 10_000);

test('A file that breaks off before anybody reads it says that the tables are away', async () => {
  await engineAt((response) => {
    response.write('PAR1');
    setTimeout(() => response.destroy(), 20);
  });
  const file = await engine.parquet(statement, { seconds: 1 });
  await new Promise((resolve) => file.once('close', resolve));
  await expect(text(file)).rejects.toMatchObject({ reason: 'unavailable' });
});

describe('a statement that takes long', () => {
  const isQuestionAboutIt = (body: string) => body.includes('system.processes');

  test('A statement that takes long is waited for as long as the server says that it runs, also beyond the lease that it began under', async () => {
    let looks = 0;
    await engineAt((response, body) => {
      if (!isQuestionAboutIt(body)) return void setTimeout(() => response.end('1\n'), 600);
      looks += 1;
      response.end('1\n');
    });
    const leaseEndsAt = performance.now() + 200;
    const clock = new ServerClock(() => engine.now());
    const statements = new LeasedStatements(engine, { leaseEndsAt: () => leaseEndsAt }, clock);
    await Promise.all([
      statements.run(statement),
      statements.insert('t', ['one'], [[1]]),
      expect(statements.lines(statement)).resolves.toEqual(['1']),
    ]);
    expect(looks).toBeGreaterThan(6);
  });

  test.each([
    ['says nothing any more', () => {}],
    ['does not know it', (response: ServerResponse) => void response.end('0\n')],
    ['cannot say', (response: ServerResponse) => void response.writeHead(500).end('no')],
  ])('A statement that takes long is given up when the server %s', async (_, answer) => {
    await engineAt((response, body) => isQuestionAboutIt(body) && answer(response));
    const begun = performance.now();
    const unanswered = {
      reason: 'unavailable',
      message: expect.stringContaining('stopped answering'),
      hints: { retryAfterSeconds: 5 },
    };
    await Promise.all([
      expect(engine.run(statement)).rejects.toMatchObject(unanswered),
      expect(engine.insert('t', ['one'], [[1]])).rejects.toMatchObject(unanswered),
      expect(engine.lines(statement, { seconds: 600 })).rejects.toMatchObject(unanswered),
    ]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  const denied = 'Code: 497. DB::Exception: plumb: Not enough privileges. (ACCESS_DENIED) (version 26.7)';

  test.each([
    ['one look that found nothing', (looks: number, response: ServerResponse) => response.end(`${looks % 2}\n`)],
    ['a user who may not look', (_: number, response: ServerResponse) => response.writeHead(500).end(denied)],
  ])('A statement that takes long is not given up for %s', async (_, answer) => {
    let looks = 0;
    await engineAt((response, body) => {
      if (!isQuestionAboutIt(body)) return void setTimeout(() => response.end('1\n'), 600);
      looks += 1;
      answer(looks, response);
    });
    await engine.run(statement);
    expect(looks).toBeGreaterThan(3);
  });
});
