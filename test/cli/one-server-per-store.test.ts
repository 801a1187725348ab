import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../../src/store/postgres/store-lock.ts';
import { callServer } from '../setup/called-server.ts';
import { isLong, soon, times } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { describeWithPostgres, type FreshDatabase, freshDatabase } from '../setup/postgres.ts';

const root = mkdtempSync(join(tmpdir(), 'plumb-replicas-'));
const [here, elsewhere] = [join(root, 'here'), join(root, 'elsewhere')] as const;

describeWithPostgres('two processes on one PostgreSQL store', () => {
  let database: FreshDatabase;
  let environment: Readonly<Record<string, string>>;
  let server: ServingPlumb;
  let key: string;
  const there = (...args: string[]) => callPlumb(elsewhere, args, { environment });
  const locally = (...args: string[]) => callPlumb(here, args, { environment });

  beforeAll(async () => {
    database = await freshDatabase();
    environment = { DATABASE_URL: database.url };
    server = await servePlumb(here, environment);
    await locally('org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example');
    const made = await locally('key', 'create', '--org', 'Acme', '--as', 'ada@acme.example', '--name', 'k', '--json');
    ({ key } = made.json<{ key: string }>());
  });
  afterAll(async () => {
    await server.kill();
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  });

  const get = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: key } });
  const count = async () => {
    const response = await fetch(`${server.url}/metrics/users-count`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: '{"filters": {}}',
    });
    return { status: response.status, body: await response.json() };
  };
  const whoHolds = () => `process ${server.child.pid} on host ${hostname()}`;

  test('The second server refuses to start and says which process works with the store', async () => {
    const second = await there('serve');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`A Plumb server already works with this PostgreSQL store: ${whoHolds()}, since 20`);
    expect(second.stderr).toContain('two beside one store would give different answers');
    expect((await get('/teams')).status).toBe(200);
  });

  test('Commands that need only the store work beside a server elsewhere, and it shows what they did', async () => {
    const people = join(root, 'people.ndjson');
    writeFileSync(people, '{"main_email": "bob@acme.example", "name": "Bob", "onboarded": true}\n');
    const done = [
      await there('org', 'set', '--org', 'Acme', 'time_zone=Europe/Vienna'),
      await there('import', '--org', 'Acme', '--table', 'people', people),
      await there('person', 'set', '--org', 'Acme', 'eve@acme.example', 'onboarded=true', '--create'),
      await there('key', 'create', '--org', 'Acme', '--as', 'bob@acme.example', '--name', 'bob'),
      await there('export', '--org', 'Acme', '--table', 'people'),
      await there('audit', '--org', 'Acme'),
      await there('doctor'),
    ];
    expect(done.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(done.map(() => 0));
    expect(done.at(-1)?.stdout).toContain(`by ${whoHolds()}, since 20`);
    await expect.poll(count).toMatchObject({ status: 200, body: [{ number_of_users: 3 }] });
  });

  test('Commands that would open tables of their own are refused with the host of the server', async () => {
    const runs = join(root, 'runs.ndjson');
    writeFileSync(runs, '{"workflow_run_id": "r1"}\n');
    for (const args of [
      ['import', '--org', 'Acme', '--table', 'workflow_runs', runs],
      ['query', 'users-count', '--org', 'Acme', '--as', 'ada@acme.example'],
      ['backup', join(root, 'a.backup')],
      ['verify'],
      // All of these open tables by the same door.
      ...(isLong
        ? [
            ['import', '--org', 'Acme', '--table', 'workflow_runs', '--strict', runs],
            ['export', '--org', 'Acme', '--table', 'pull_requests'],
            ['person', 'unknown', '--org', 'Acme'],
            ['demo'],
          ]
        : []),
    ]) {
      const { code, stderr } = await there(...args);
      expect([args[0], code, stderr.includes(`${whoHolds()}, since 20`)]).toEqual([args[0], 1, true]);
      expect(stderr).toContain(`Run this on ${hostname()} with the PLUMB_DATA of that server`);
    }
  });

  test('A server whose lock is lost answers nothing while another process has it, and again afterwards', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      expect((await count()).status).toBe(200);
      await other.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'plumb serve %'",
      );
      await expect.poll(() => tryLock(other), { timeout: 900, interval: 5 }).toBeDefined();
      // Also what was kept in memory, a moment ago, for the same caller.
      await expect.poll(async () => (await count()).status, soon).toBe(503);
      for (let i = 0; i < times(5, 20); i += 1) {
        expect((await count()).status).toBe(503);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect((await get('/readyz')).status).toBe(503);
      expect((await get('/livez')).status).toBe(200);
      const refused = await locally('org', 'list');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('lost its lock on the store')]);
      await expect.poll(() => server.stderr()).toContain('the lock on the store was lost');
    } finally {
      await other.end();
    }
    await expect.poll(async () => (await count()).status).toBe(200);
    await expect.poll(() => server.stderr()).toContain('the lock on the store is held again');
  });

  test('A killed server frees the store at once', async () => {
    await server.kill();
    const next = await callServer(elsewhere, environment);
    onTestFinished(() => next.abandon());
    expect((await fetch(`${next.url}/teams`, { headers: { authorization: key } })).status).toBe(200);
    const refused = await locally('serve');
    const holder = `process ${process.pid} on host ${hostname()}`;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(holder)]);
  });
});
