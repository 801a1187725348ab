import { randomBytes } from 'node:crypto';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { issues } from '../../../src/catalogue/tables/issues.ts';
import { MemoryWriterTurns } from '../../../src/store/writer-turns.ts';
import { ClickHouseEngine } from '../../../src/warehouse/clickhouse/engine.ts';
import { openTablesElsewhere } from '../../../src/warehouse/open.ts';
import { clickhouseIsGiven, type FreshTables, freshTables } from '../../setup/clickhouse.ts';
import { someQuestion } from './some-question.ts';

if (!clickhouseIsGiven) {
  console.warn(
    'SKIPPED: the read-only user, limits and cancellation. They need a ClickHouse server at CLICKHOUSE_URL.',
  );
}

/** What the engine of the tests does not have: users, limits of theirs, and statements that can be ended. */
describe.skipIf(!clickhouseIsGiven)('a ClickHouse server', () => {
  const user = `reader_${randomBytes(4).toString('hex')}`;
  const organisationId = 'o1';
  let tables: FreshTables;
  let admin: ClickHouseClient;
  const withLimits = (limits: Readonly<Record<string, string>> = {}) => {
    const place = new URL(tables.url);
    const given = { query_user: user, query_password: 'secret', ...limits };
    for (const [name, value] of Object.entries(given)) place.searchParams.set(name, value);
    return openTablesElsewhere(place.href, turns);
  };
  const turns = new MemoryWriterTurns();
  const reader = () => {
    const account = { user, password: 'secret' };
    return new ClickHouseEngine(tables.url, { questions: { account, limits: {} } });
  };
  const slow = { sql: 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1', values: {} };

  beforeAll(async () => {
    tables = await freshTables();
    admin = createClient({ url: inject('clickhouseUrl') ?? '' });
    const database = new URL(tables.url).pathname.slice(1);
    await admin.command({ query: `CREATE USER ${user} IDENTIFIED BY 'secret' SETTINGS readonly = 2` });
    await admin.command({ query: `GRANT SELECT ON ${database}.* TO ${user}` });
    const warehouse = await withLimits();
    const added = Array.from({ length: 5 }, (_, i) => ({ issue_id: `${i}`, created_at: i }));
    await warehouse.change(organisationId, (writer) =>
      writer.flush([{ table: issues, added, removed: [], put: [], patches: [] }]),
    );
    await warehouse.close();
  });
  afterAll(async () => {
    await admin.command({ query: `DROP USER IF EXISTS ${user}` });
    await admin.close();
    await tables.drop();
  });

  test('Answers questions to a user who may only read, and takes nothing from them', async () => {
    const warehouse = await withLimits();
    const rows = await warehouse.ask(organisationId, (session) => session.rows(someQuestion(organisationId)));
    expect(rows).toHaveLength(5);
    await warehouse.close();
    const own = createClient({ url: tables.url, username: user, password: 'secret' });
    const writing = own.command({ query: `INSERT INTO layout VALUES (99)` });
    await expect(writing).rejects.toThrow();
    await own.close();
  });

  test('Refuses an answer with more rows than the address allows', async () => {
    const warehouse = await withLimits({ max_result_rows: '2' });
    const asked = warehouse.ask(organisationId, (session) => session.rows(someQuestion(organisationId)));
    await expect(asked).rejects.toMatchObject({ reason: 'bad-input' });
    await warehouse.close();
  });

  test('Refuses a question that takes more memory than the address allows', async () => {
    const warehouse = await withLimits({ max_memory_usage: '1' });
    const asked = warehouse.ask(organisationId, (session) => session.rows(someQuestion(organisationId)));
    await expect(asked).rejects.toMatchObject({ reason: 'unavailable' });
    await warehouse.close();
  });

  test('Stops a statement after its time', async () => {
    const engine = reader();
    await expect(engine.lines(slow, { seconds: 1 })).rejects.toMatchObject({ reason: 'too-slow' });
    await engine.close();
  });

  test('Ends the statement of a caller who has gone', async () => {
    const engine = reader();
    const gone = new AbortController();
    const asked = engine.lines(slow, { seconds: 60, signal: gone.signal });
    const running = async () => {
      const query = `SELECT count() AS n FROM system.processes WHERE user = '${user}'`;
      const [row] = await (await admin.query({ query, format: 'JSONEachRow' })).json<{ n: string }>();
      return Number(row?.n);
    };
    await expect.poll(running, { timeout: 10_000 }).toBe(1);
    gone.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect.poll(running, { timeout: 10_000 }).toBe(0);
    await engine.close();
  });
});
