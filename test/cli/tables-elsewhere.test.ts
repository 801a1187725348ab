import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Diagnosis } from '../../src/safety/diagnosis.ts';
import { storedTables } from '../../src/warehouse/schema.ts';
import { callServer } from '../setup/called-server.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { servePlumb } from '../setup/plumb-process.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { tcpProxy } from '../setup/tcp-proxy.ts';

describe.skipIf(!postgresAvailable || !clickhouseAvailable)('with tables in ClickHouse', () => {
  const closing: (() => unknown)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'plumb-elsewhere-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const backup = join(folder, 'acme.backup');
  let environment: Record<string, string> = {};
  const plumb = (...args: string[]) => callPlumb(join(folder, 'data'), args, { environment });

  beforeAll(async () => {
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing.push(
      () => database.drop(),
      () => tables.drop(),
    );
    environment = { DATABASE_URL: database.url, CLICKHOUSE_URL: tables.url, PLUMB_THREADS: '1' };
    const records = join(folder, 'pull-requests.ndjson');
    writeFileSync(records, '{"pr_id": "p1", "repository": "a/b", "pr_created_at": "2024-03-04T09:00:00Z"}\n');
    for (const name of ['Acme', 'Other']) {
      await plumb('org', 'create', '--name', name, '--owner-email', 'ada@acme.example');
      expect(await plumb('import', '--org', name, '--table', 'pull_requests', records)).toMatchObject({ code: 0 });
    }
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  /** Rows of each organisation, in all tables. */
  async function rowsOf(): Promise<Readonly<Record<string, number>>> {
    const client = createClient({ url: environment.CLICKHOUSE_URL ?? '' });
    const each = [...storedTables.map(({ name }) => name), 'changes'].map((name) => `SELECT organisation FROM ${name}`);
    const query = `SELECT organisation, toUInt32(count()) AS n FROM (${each.join(' UNION ALL ')}) GROUP BY organisation`;
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{
      organisation: string;
      n: number;
    }>();
    await client.close();
    return Object.fromEntries(rows.map(({ organisation, n }) => [organisation, n]));
  }

  test.each([
    [['backup', backup], /PostgreSQL and ClickHouse with their own tools.*`plumb migrate --to FOLDER`/],
    [['restore', backup], /Restore into a folder.*`plumb migrate --to postgresql/],
    [['verify', '--deep'], /Leave out --deep.*`plumb migrate --to FOLDER`/],
  ])('%j is refused, and says what to do instead', async (words, instead) => {
    const { code, stderr } = await plumb(...words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(instead)]);
    expect(existsSync(backup)).toBe(false);
  });

  test.each([
    ['an unknown parameter', '/plumb?clustr=x', /parameters that are not known: clustr\.$/],
    ['a database that is not there', '/not_there', /no database of the name.*Create it first/],
    ['a cluster that is not there', '/default?cluster=main', /no cluster of the name.*system\.clusters/],
  ])('An address with %s is refused in a sentence', async (_what, path, sentence) => {
    const CLICKHOUSE_URL = new URL(path, environment.CLICKHOUSE_URL).href;
    const { code, stderr } = await callPlumb(join(folder, 'data'), ['status'], {
      environment: { ...environment, CLICKHOUSE_URL },
    });
    expect([code, stderr.trim()]).toEqual([2, expect.stringMatching(sentence)]);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('plumb migrate says in a sentence that PostgreSQL lets nobody in', async () => {
    const wrong = new URL(environment.DATABASE_URL ?? '');
    wrong.username = 'plumb';
    wrong.password = 's3cret-word';
    const to = ['--to', wrong.href, '--to', environment.CLICKHOUSE_URL ?? ''];
    const { code, stderr } = await callPlumb(join(folder, 'embedded'), ['migrate', ...to], { environment: {} });
    expect([code, stderr]).toEqual([2, expect.stringContaining('does not accept the user and the password')]);
    expect(stderr).not.toMatch(/^ +at |s3cret-word/m);
  });

  test('plumb verify reads the store, and says that it has read nothing else', async () => {
    const { code, stdout } = await plumb('verify');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/NOTICE.*Only the store was read/)]);
  });

  // Clocks that agree or are behind are judged in safety/doctor.test.ts: to look at everything here takes seconds.
  test('plumb doctor compares the clock with those of both servers', async () => {
    const { now } = Date;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 18_000_000);
    try {
      const { checks } = (await plumb('doctor', '--json')).json<{ checks: Diagnosis[] }>();
      for (const name of ['clock of PostgreSQL', 'clock of ClickHouse']) {
        // What the answer takes on its way is no part of it.
        const detail = expect.stringMatching(/clock here is (?:5h|4h 5\dm) ahead of that of/);
        expect(checks.find((check) => check.name === name)).toEqual({ name, status: 'problem', detail });
      }
      expect(checks).toContainEqual({ name: 'tables', status: 'ok', detail: 'in ClickHouse' });
    } finally {
      clock.mockRestore();
    }
  });

  test('plumb doctor says that ClickHouse cannot be used, and not why in its words', async () => {
    const CLICKHOUSE_URL = 'http://plumb:s3cret@127.0.0.1:1/plumb';
    const { stdout } = await callPlumb(join(folder, 'data'), ['doctor', '--json'], {
      environment: { ...environment, CLICKHOUSE_URL },
    });
    const { checks } = JSON.parse(stdout) as { checks: Diagnosis[] };
    expect(checks.find(({ name }) => name === 'tables')).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/^ClickHouse cannot be used: .* Check CLICKHOUSE_URL and the server\.$/),
    });
    expect(stdout).not.toContain('s3cret');
  });

  test('A server is not ready while ClickHouse cannot be reached', async () => {
    const proxy = await tcpProxy(environment.CLICKHOUSE_URL ?? '');
    const server = await callServer(join(folder, 'served'), { ...environment, CLICKHOUSE_URL: proxy.url });
    try {
      const ready = async () => (await fetch(`${server.url}/readyz`)).status;
      expect(await ready()).toBe(200);
      proxy.cut();
      const began = performance.now();
      expect(await ready()).toBe(503);
      expect(performance.now() - began).toBeLessThan(30_000);
      expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    } finally {
      await server.stop();
      proxy.close();
    }
  });

  test('plumb org delete leaves nothing of an organisation, and everything of others', async () => {
    const all = (await plumb('org', 'list', '--json')).json<{ id: string; name: string }[]>();
    const [acme = '', other = ''] = ['Acme', 'Other'].map((name) => all.find((one) => one.name === name)?.id);
    const before = await rowsOf();
    expect(before[acme]).toBeGreaterThan(0);
    const refused = await plumb('org', 'delete', 'Acme', '--confirm', 'Acme', '--backup', backup);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('plumb migrate --to FOLDER')]);
    expect(await rowsOf()).toEqual(before);
    expect(await plumb('org', 'delete', 'Acme', '--confirm', 'Acme', '--no-backup')).toMatchObject({ code: 0 });
    expect(await rowsOf()).toEqual({ [other]: before[other] });
    expect((await plumb('org', 'list', '--json')).json()).toMatchObject([{ name: 'Other' }]);
    expect((await plumb('export', '--org', 'Other', '--table', 'pull_requests')).stdout).toContain('"p1"');
    expect((await plumb('org', 'delete', acme, '--confirm', acme, '--no-backup')).code).toBe(3);
    // Its name is free again.
    expect(await plumb('org', 'create', '--name', 'Acme', '--owner-email', 'b@acme.example')).toMatchObject({
      code: 0,
    });
  });

  test('A deletion whose server is killed in the middle is finished by the same command', async () => {
    await plumb('org', 'create', '--name', 'Gone', '--owner-email', 'ada@gone.example');
    const records = join(folder, 'pull-requests.ndjson');
    expect(await plumb('import', '--org', 'Gone', '--table', 'pull_requests', records)).toMatchObject({ code: 0 });
    const all = (await plumb('org', 'list', '--json')).json<{ id: string; name: string }[]>();
    const gone = all.find(({ name }) => name === 'Gone')?.id ?? '';
    const { [gone]: before = 0, ...others } = await rowsOf();

    const proxy = await tcpProxy(environment.CLICKHOUSE_URL ?? '');
    const served = join(folder, 'killed');
    const server = await servePlumb(served, { ...environment, CLICKHOUSE_URL: proxy.url });
    // Rows of some tables are gone by then, and not those of others.
    const half = proxy.silenceBefore('DELETE FROM "team_members"');
    const cutOff = callPlumb(served, ['org', 'delete', 'Gone', '--confirm', 'Gone', '--no-backup'], { environment });
    await half;
    await server.kill();
    proxy.close();
    expect((await cutOff).code).not.toBe(0);
    const { [gone]: left = 0 } = await rowsOf();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(before);

    const again = ['org', 'delete', gone, '--confirm', gone, '--no-backup'];
    const doctor = await plumb('doctor');
    expect(doctor.stdout).toContain('org delete ID --confirm ID --no-backup`');
    expect(doctor.stdout).toContain(gone);
    await endLeases();
    expect(await plumb(...again)).toMatchObject({ code: 0 });
    expect(await rowsOf()).toEqual(others);
    expect((await plumb(...again)).code).toBe(3);
    if (isLong) expect((await plumb('doctor')).stdout).not.toContain(gone);
  });

  /** As if half a minute had passed since a server was killed. */
  async function endLeases(): Promise<void> {
    const client = new pg.Client({ connectionString: environment.DATABASE_URL });
    await client.connect();
    await client.query('UPDATE data_versions SET lease_until = now() WHERE writer IS NOT NULL');
    await client.end();
  }
});
