import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { serviceTicket } from '../../../src/admission/ticket.ts';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import type { ClickHouseWarehouse } from '../../../src/warehouse/clickhouse/warehouse.ts';
import { openTablesElsewhere } from '../../../src/warehouse/open.ts';
import { describeWithClickHouse, freshTables } from '../../setup/clickhouse.ts';
import { someQuestion } from './some-question.ts';

interface Seen {
  readonly user: string;
  readonly statement: string;
  readonly given: URLSearchParams;
}

const organisationId = 'o1';
/** The engine of the tests would keep them for everybody. */
const limits = { max_memory_usage: '4000000000', max_result_rows: '100000' };

/** What reaches a server: the engine behind a door that notes it, and that lets one statement wait until it is killed. */
describeWithClickHouse('questions to ClickHouse', () => {
  const seen: Seen[] = [];
  let door: Server;
  let warehouse: ClickHouseWarehouse;
  let drop = async () => {};
  let hangs = false;

  beforeAll(async () => {
    const tables = await freshTables();
    drop = tables.drop;
    const engine = new URL(inject('clickhouseUrl') ?? '');
    door = createServer(async (request, response) => {
      const body = await bodyOf(request);
      const url = new URL(request.url ?? '', engine);
      const [user = ''] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
        .toString()
        .split(':');
      const statement = `${url.searchParams.get('query') ?? ''}${body.toString()}`;
      seen.push({ user, statement, given: new URLSearchParams(url.search) });
      if (hangs && statement.includes('FROM')) return;
      if (statement.startsWith('KILL QUERY')) return void response.end();
      for (const name of Object.keys(limits)) url.searchParams.delete(name);
      const type = request.headers['content-type'];
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers });
      const code = answer.headers.get('x-clickhouse-exception-code');
      response.writeHead(answer.status, code === null ? {} : { 'x-clickhouse-exception-code': code });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const place = new URL(tables.url);
    place.port = String((door.address() as AddressInfo).port);
    place.username = 'writer';
    const given = { ...limits, query_user: 'reader@acme', query_password: 'p:w' };
    for (const [name, value] of Object.entries(given)) place.searchParams.set(name, value);
    warehouse = await openTablesElsewhere(place.href, new MemoryWriterTurns());
  });
  afterAll(async () => {
    await warehouse.close();
    door.closeAllConnections();
    door.close();
    await drop();
  });

  const select = { table: issues, columns: ['issue_id'] } as const;

  test('Questions to ClickHouse are asked as the user who may only read, with the limits of the address; records come as the other', async () => {
    seen.length = 0;
    await warehouse.change(organisationId, (writer) =>
      writer.flush([{ table: issues, added: [{ issue_id: 'x', created_at: 9 }], removed: [], put: [], patches: [] }]),
    );
    await warehouse.read(organisationId, (reader) => reader.select(select.table, select.columns));
    const inserted = seen.find(({ statement }) => /^\s*INSERT INTO .?issues/i.test(statement));
    expect(inserted?.user).toBe('writer');
    expect(inserted?.given.get('readonly')).toBeNull();
    const read = seen.filter(({ statement }) => statement.startsWith('SELECT'));
    expect(read.length).toBeGreaterThan(0);
    expect(read.every(({ user, given }) => user === 'reader@acme' && given.get('readonly') === '2')).toBe(true);
    // What intake reads is as long as it is.
    expect(read.every(({ given }) => given.get('max_result_rows') === null)).toBe(true);
    seen.length = 0;
    const rows = await warehouse.ask(organisationId, (session) => session.rows(someQuestion(organisationId)));
    expect(rows).toHaveLength(1);
    // Whom it leaves out was looked up before.
    const [people, ...asked] = seen;
    expect(people?.statement).toContain('"people"');
    expect(asked.map(({ user, given }) => [user, ...Object.keys(limits).map((name) => given.get(name))])).toEqual([
      ['reader@acme', ...Object.values(limits)],
    ]);
    expect(asked[0]?.given.get('max_execution_time')).toBe('30');
  });

  test('Questions to ClickHouse give whole tables to the user who may only read, and take them from the other', async () => {
    seen.length = 0;
    const { moving } = warehouse;
    await moving.rowsIn('o2', issues, moving.rowsOut(organisationId, issues));
    const inserted = seen.filter(({ statement }) => statement.startsWith('INSERT INTO "issues"'));
    expect(inserted.map(({ user }) => user)).toEqual(['writer']);
    // What follows the statement is the file.
    expect(inserted[0]?.statement).toMatch(/ FROM input\('[^']+'\) FORMAT ParquetPAR1/);
    const read = seen.filter(({ statement }) => statement.endsWith('FORMAT Parquet'));
    expect(read.map(({ user, given }) => [user, given.get('readonly')])).toEqual([['reader@acme', '2']]);
    const digest = await moving.digest(organisationId, issues);
    expect(digest.rows).toBe(1);
    expect(await moving.digest('o2', issues)).toEqual(digest);
  });

  test('Questions to ClickHouse are ended on the server when their caller goes', async () => {
    seen.length = 0;
    hangs = true;
    const gone = new AbortController();
    const asked = warehouse.ask(organisationId, (session) => session.rows(someQuestion(organisationId)), {
      ticket: serviceTicket(organisationId, gone.signal),
    });
    await expect.poll(() => seen.length).toBe(1);
    gone.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect.poll(() => seen.length).toBe(2);
    hangs = false;
    const [waiting, kill] = seen;
    expect(kill?.statement).toMatch(/^KILL QUERY WHERE query_id = \{id:String\} ASYNC/);
    expect(kill?.user).toBe('reader@acme');
    expect(kill?.given.get('param_id')).toBe(waiting?.given.get('query_id'));
  });
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
