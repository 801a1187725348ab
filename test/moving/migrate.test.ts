import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FactTable, factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import type { MoveStep } from '../../src/moving/move-tables.ts';
import { openWarehouse, warehouseFolder } from '../../src/warehouse/open.ts';
import { derivationRules } from '../../src/warehouse/schema.ts';
import { freshFolder } from '../conformance/stores.ts';
import { filledPlace, within } from '../safety/filled-app.ts';
import { bundleScript } from '../setup/bundled-script.ts';
import { callServer } from '../setup/called-server.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { removeRows } from '../warehouse/table-writes.ts';
import { moveFolder } from './moved-folder.ts';
import { org, owner, someAnswers } from './some-answers.ts';

/** A table with rows takes ClickHouse half a second on its way there and back. The long run moves every one. */
const tablesWithRowsMoved: readonly FactTable[] = isLong
  ? factTableNames
  : ['pull_requests', 'pull_request_reviews', 'survey_recipients', 'deployments', 'incidents'];

describe.skipIf(!postgresAvailable || !clickhouseAvailable)('plumb migrate', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const bundles = freshFolder();
  let script = '';
  let expected: readonly string[] = [];
  beforeAll(async () => {
    script = await bundleScript(join(import.meta.dirname, 'moving-child.ts'), bundles.path);
    const { place } = await filledPlace();
    expected = await someAnswers(place.folder, {});
    expect(expected.join('')).toContain('Änderung');
    await place.remove();
  });
  afterAll(() => bundles.remove());

  async function somewhere() {
    const { place, id } = await filledPlace();
    const others = factTableNames.filter((name) => !tablesWithRowsMoved.includes(name));
    await within(place, ({ warehouse }) =>
      warehouse.change(id, async (writer) => {
        for (const name of others) await removeRows(writer, factTables[name], { all: [] });
      }),
    );
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing.push(
      () => place.remove(),
      () => database.drop(),
      () => tables.drop(),
    );
    const environment = { DATABASE_URL: database.url, CLICKHOUSE_URL: tables.url };
    return { folder: place.folder, databaseUrl: database.url, tablesUrl: tables.url, environment };
  }

  function newFolder(): string {
    const folder = freshFolder();
    closing.push(() => folder.remove());
    return folder.path;
  }

  async function folderWithoutTables(): Promise<string> {
    const { place } = await filledPlace();
    closing.push(() => place.remove());
    rmSync(join(place.folder, warehouseFolder), { recursive: true });
    return place.folder;
  }

  /** Kills moves at some steps, and answers which tables the last of them has copied. */
  async function killedMoves(folder: string, place: object, kills: readonly number[]): Promise<string[]> {
    let there: string[] = [];
    for (const killAt of kills) {
      const { ended, steps } = await killedMove(script, folder, place, killAt);
      expect(ended).toBe('SIGKILL');
      there = tablesWithRows(steps, ['copied', 'kept']);
    }
    return there;
  }

  /** A killed move that goes on with what is there, and two that end because something makes other rows of those that are moved. */
  async function expectRefusals(folder: string, databaseUrl: string, tablesUrl: string): Promise<void> {
    const client = createClient({ url: tablesUrl });
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    closing.push(
      () => client.close(),
      () => database.end(),
    );
    const place = { databaseUrl, tablesUrl };
    const there = await killedMoves(folder, place, isLong ? [2, 30] : [10]);
    expect(there.length).toBeGreaterThan(0);
    // Deployments come after what the killed move has copied.
    expect(there).not.toContain('deployments');
    await client.command({
      query: `CREATE MATERIALIZED VIEW planted TO incidents AS
        SELECT organisation, 'planted' AS incident_id, _since FROM deployments LIMIT 1`,
    });
    const steps: MoveStep[] = [];
    await expect(moveFolder(folder, place, (step) => steps.push(step))).rejects.toThrow(
      /Table incidents of organisation \S+ has 2 rows at the new place instead of 1/,
    );
    // What was there is not copied again.
    expect(tablesWithRows(steps, ['kept'])).toEqual(there);
    await client.command({ query: 'DROP VIEW planted' });
    if (isLong) await killedMoves(folder, place, [70, 90]);
    await database.query(`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.name = NEW.name || '!'; RETURN NEW; END $$`);
    await database.query('CREATE TRIGGER planted BEFORE INSERT ON teams FOR EACH ROW EXECUTE FUNCTION planted()');
    // The store comes last, so tables would only be copied and compared once more: it is tried with a folder that has none.
    const wrongStore = await callPlumb(await folderWithoutTables(), [
      'migrate',
      '--to',
      databaseUrl,
      '--to',
      tablesUrl,
    ]);
    expect(wrongStore.code).toBe(1);
    expect(wrongStore.stderr).toContain('Table teams of the store has the same number of rows');
    expect((await database.query('SELECT 1 FROM organisations')).rows).toEqual([]);
    await database.query('DROP TRIGGER planted ON teams');
  }

  /** A move through a running server, which answers questions meanwhile and takes no writes from then on. */
  async function moveServed(folder: string, databaseUrl: string, tablesUrl: string): Promise<void> {
    const server = await callServer(folder, { PLUMB_MEMORY: '512MB' });
    try {
      const { key } = (
        await callPlumb(folder, ['key', 'create', '--org', org, '--as', owner, '--name', 'k', '--json'])
      ).json<{ key: string }>();
      const put = async () => {
        // As it is already: what was copied by now stays the same.
        const body = JSON.stringify([{ incident_id: 'x1', title: 'Down' }]);
        const headers = { authorization: key, 'content-type': 'application/json' };
        return (await fetch(`${server.url}/ingest/incidents`, { method: 'POST', headers, body })).status;
      };
      // Another place that cannot be reached changes nothing.
      const failed = await callPlumb(folder, ['migrate', '--to', databaseUrl, '--to', 'http://127.0.0.1:9/x']);
      expect(failed.code).toBe(1);
      expect(await put()).toBe(200);
      const moved = await callPlumb(folder, ['migrate', '--to', 'env:PLACE', '--to', tablesUrl, '--json'], {
        environment: { PLACE: databaseUrl },
      });
      expect({ code: moved.code, stderr: moved.stderr }).toEqual({ code: 0, stderr: '' });
      expect(moved.json()).toMatchObject({
        outcome: 'complete',
        organisations: 1,
        secret_file: join(folder, 'secret'),
        old_place_is_held: true,
      });
      expect(await put()).toBe(503);
      const asked = ['query', 'users-count', '--org', org, '--as', owner, '--json'];
      expect((await callPlumb(folder, asked)).code).toBe(0);
      const keyless = await callPlumb(folder, ['org', 'set', '--org', org, 'name=Other']);
      expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('being moved') });
    } finally {
      await server.stop();
    }
  }

  test('Goes on after it was killed, refuses to finish where a table differs, names it, finishes through a server once it does not, and moves everything back, with the same answers everywhere', async () => {
    const { folder, databaseUrl, tablesUrl, environment } = await somewhere();
    writeFileSync(join(folder, 'secret'), 'of the folder\n');
    await expectRefusals(folder, databaseUrl, tablesUrl);
    await moveServed(folder, databaseUrl, tablesUrl);
    const [elsewhere, back] = [newFolder(), newFolder()];
    expect(await someAnswers(elsewhere, environment)).toEqual(expected);
    writeFileSync(join(elsewhere, 'secret'), 'of the folder\n');
    const returned = await callPlumb(elsewhere, ['migrate', '--to', back], { environment });
    expect(returned.stdout).toContain('compared all of them');
    expect(await someAnswers(back, {})).toEqual(expected);
    expect(readFileSync(join(back, 'secret'), 'utf8')).toBe('of the folder\n');
    expect(existsSync(join(back, '.moving'))).toBe(false);
    const audit = await callPlumb(back, ['audit', '--org', org, '--limit', '5']);
    expect(audit.stdout).toContain('Moved the organisation');
    const verified = await callPlumb(back, ['verify']);
    expect({ code: verified.code, text: verified.stdout }).toMatchObject({ code: 0 });
    // What is complete is nobody's destination any more.
    expect((await callPlumb(folder, ['migrate', '--to', back])).stderr).toContain('holds data already');
  });

  test('Goes on after it was killed on the way into a folder', async () => {
    const { place } = await filledPlace();
    closing.push(() => place.remove());
    const back = newFolder();
    const there = await killedMoves(place.folder, { folder: back }, isLong ? [2, 30, 70, 90] : [30]);
    expect(there.length).toBeGreaterThan(0);
    const steps: MoveStep[] = [];
    await moveFolder(place.folder, { folder: back }, (step) => steps.push(step));
    expect(tablesWithRows(steps, ['kept'])).toEqual(expect.arrayContaining(there));
    // What was derived is moved as it is, and not derived again at the next start.
    const organisation = steps.find(({ organisation }) => organisation !== null)?.organisation ?? '';
    const tables = await openWarehouse({ folder: back });
    expect(await tables.read(organisation, (session) => session.derivationVersion())).toBe(derivationRules);
    await tables.close();
    expect(await someAnswers(back, {})).toEqual(expected);
  });

  test.each([
    [['--to', '']],
    [['--to', 'postgresql://x/y']],
    [['--to', 'http://x/y', '--to', '/tmp/folder']],
    [['--to', 'env:NOWHERE']],
    [['--to', '/tmp/one', '--to', '/tmp/two']],
  ])('%j is no place', async (to) => {
    expect((await callPlumb(newFolder(), ['migrate', ...to])).code).toBe(2);
  });
});

const tablesWithRows = (steps: readonly MoveStep[], states: readonly MoveStep['state'][]): string[] =>
  steps.flatMap(({ organisation, table, state, rows }) =>
    organisation !== null && rows > 0 && states.includes(state) ? [table] : [],
  );

/** What a move has done that kills itself at some step. */
async function killedMove(script: string, folder: string, place: object, killAt: number) {
  const words = [script, folder, JSON.stringify(place), String(killAt)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const steps = printed.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as MoveStep]));
  return { ended: signal ?? code, steps };
}
