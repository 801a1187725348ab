import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { remoteOperations } from '../../src/control/control-client.ts';
import { type ControlServer, startControlServer } from '../../src/control/control-server.ts';
import type { Operations } from '../../src/control/operations.ts';
import type { RecordLine } from '../../src/directory/put-records.ts';
import { Refusal } from '../../src/refusal.ts';

let server: ControlServer | undefined;
afterEach(async () => {
  await server?.close();
});

/** The streams of a server that does as it is told, through its door. */
async function through(operations: Partial<Operations>): Promise<{ streams: Operations; troubles: unknown[] }> {
  const troubles: unknown[] = [];
  server = await startControlServer({
    operationsFor: () => operations as Operations,
    onError: (error) => troubles.push(error),
  });
  const notice = { pid: 1, url: '', store: '', controlPort: server.port, token: server.token };
  return { streams: remoteOperations(notice, 'somebody@here'), troubles };
}

const input = { org: 'Acme', table: 'incidents', records: false } as const;

async function rowsOf(streams: Pick<Operations, 'exportRows'>): Promise<string> {
  let text = '';
  for await (const piece of streams.exportRows(input)) text += Buffer.from(piece).toString();
  return text;
}

test('Rows come through as they are, however they are cut into pieces', async () => {
  const { streams } = await through({
    async *exportRows(asked) {
      yield Buffer.from(JSON.stringify(asked));
      yield Buffer.from('\n{"a":1}\n{"b');
      yield Buffer.from('":2}\n');
    },
  });
  expect(await rowsOf(streams)).toBe(`${JSON.stringify(input)}\n{"a":1}\n{"b":2}\n`);
});

test('No rows at all are no mistake', async () => {
  const { streams } = await through({ async *exportRows() {} });
  expect(await rowsOf(streams)).toBe('');
});

test('What is refused before the first row is reported in its own words', async () => {
  const { streams, troubles } = await through({
    // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
    async *exportRows() {
      throw new Refusal('not-found', 'There is no organisation Acme.');
    },
  });
  await expect(rowsOf(streams)).rejects.toMatchObject({
    reason: 'not-found',
    message: 'There is no organisation Acme.',
  });
  expect(troubles).toEqual([]);
});

test('Rows that break off half way end with an error, never as if they were all', async () => {
  const { streams, troubles } = await through({
    async *exportRows() {
      yield Buffer.from('{"a":1}\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('the disk went away');
    },
  });
  await expect(rowsOf(streams)).rejects.toMatchObject({ reason: 'unavailable' });
  expect(troubles).toHaveLength(1);
});

test('Rows that end without saying how many they were are not taken for all of them', async () => {
  const odd = createServer((_request, response) => response.end('{"a":1}\n'));
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const { port } = odd.address() as AddressInfo;
  const notice = { pid: 1, url: '', store: '', controlPort: port, token: 'any' };
  await expect(rowsOf(remoteOperations(notice, 'somebody@here'))).rejects.toMatchObject({ reason: 'unavailable' });
  odd.close();
});

test('A reader that stops early ends the reading at the other side', async () => {
  let ended = false;
  const { streams } = await through({
    async *exportRows() {
      try {
        for (;;) yield Buffer.from(`${'x'.repeat(100_000)}\n`);
      } finally {
        ended = true;
      }
    },
  });
  for await (const _ of streams.exportRows(input)) break;
  await expect.poll(() => ended).toBe(true);
});

const strict = { org: 'Acme', table: 'incidents', form: 'json' } as const;
const line = (n: number): RecordLine => ({ line: n, value: { incident_id: `i${n}`, title: 'a "b" \n ü 😀' } });
async function* lines(count: number): AsyncGenerator<RecordLine> {
  for (let n = 1; n <= count; n += 1) yield line(n);
}

test('Records of a strict import arrive one by one, and what became of them comes back', async () => {
  const arrived: RecordLine[] = [];
  const { streams } = await through({
    async putStrictly(asked, records) {
      expect(asked).toEqual(strict);
      for await (const record of records) arrived.push(record);
      return { accepted: arrived.length, rejected: [] };
    },
  });
  expect(await streams.putStrictly(strict, lines(5_000))).toEqual({ accepted: 5_000, rejected: [] });
  expect([arrived[0], arrived[4_999]]).toEqual([line(1), line(5_000)]);
});

test('Records that end early by a fault at this side do not pass for all of them', async () => {
  let outcome: unknown;
  const { streams } = await through({
    async putStrictly(_asked, records) {
      try {
        for await (const _ of records);
        outcome = 'all of them';
      } catch (error) {
        outcome = error;
        throw error;
      }
      return { accepted: 0, rejected: [] };
    },
  });
  async function* broken(): AsyncGenerator<RecordLine> {
    yield* lines(50_000);
    throw new Error('the file is damaged');
  }
  await expect(streams.putStrictly(strict, broken())).rejects.toThrow('the file is damaged');
  await expect.poll(() => outcome).toBeInstanceOf(Refusal);
});

test('A server that refuses in the middle is heard, and the rest need not be sent', async () => {
  const { streams } = await through({
    async putStrictly() {
      throw new Refusal('not-found', 'There is no organisation Acme.');
    },
  });
  await expect(streams.putStrictly(strict, lines(200_000))).rejects.toMatchObject({ reason: 'not-found' });
});

test('A server that goes away while records are sent is told from a file that cannot be read', async () => {
  const odd = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
  const { port } = odd.address() as AddressInfo;
  const notice = { pid: 1, url: '', store: '', controlPort: port, token: 'any' };
  const { putStrictly, listPeople } = remoteOperations(notice, 'somebody@here');
  await expect(putStrictly(strict, lines(200_000))).rejects.toMatchObject({ reason: 'unavailable' });
  await expect(listPeople({ org: 'Acme' })).rejects.toMatchObject({ reason: 'unavailable' });
  odd.close();
});
