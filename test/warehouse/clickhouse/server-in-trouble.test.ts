import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';

const statement = { sql: 'SELECT 1', values: {} };
let server: Server;
let engine: ClickHouseEngine;

async function engineAt(answer: (response: ServerResponse) => void): Promise<void> {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine = new ClickHouseEngine(`http://127.0.0.1:${(server.address() as AddressInfo).port}/plumb`);
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
])('a proxy that answers %i with %j says that the tables are away', async (status, text) => {
  await engineAt((response) => response.writeHead(status).end(text));
  const away = { reason: 'unavailable', hints: { retryAfterSeconds: 2 } };
  await expect(engine.lines(statement, { seconds: 1 })).rejects.toMatchObject(away);
  await expect(engine.run(statement)).rejects.toMatchObject(away);
});

test('another text that is not of ClickHouse stays the error that it is', async () => {
  await engineAt((response) => response.writeHead(413).end('Request Entity Too Large'));
  await expect(engine.lines(statement, { seconds: 1 })).rejects.not.toHaveProperty('reason');
});

test('a server that takes a statement and never answers is not waited for', async () => {
  await engineAt(() => {});
  const asked = Promise.all([
    expect(engine.lines(statement, { seconds: 0.1 })).rejects.toMatchObject({ reason: 'too-slow' }),
    expect(engine.stream(statement, { seconds: 0.1 }).next()).rejects.toMatchObject({ reason: 'too-slow' }),
  ]);
  await asked;
}, 10_000);
