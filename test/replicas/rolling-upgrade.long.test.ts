import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemaVersion } from '../../src/store/migrations/migrations.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { buildCommit, commitBeforeNewestMigration } from '../setup/earlier-version.ts';
import { runPlumb } from '../setup/plumb-process.ts';
import { freshDatabase, onDatabase, postgresAvailable } from '../setup/postgres.ts';
import { Fleet } from './fleet.ts';
import { Load } from './load.ts';

const commit = commitBeforeNewestMigration();
if (commit === undefined) {
  console.warn(
    'SKIPPED: the rolling upgrade. This clone has no commit before the newest migration: fetch its history.',
  );
}
const isPossible = postgresAvailable && clickhouseAvailable && commit !== undefined;

describe.skipIf(!isPossible)('servers of the version before the newest migration, beside those of this one', () => {
  const closing = closedAfterAll();
  const earlier = mkdtempSync(join(tmpdir(), 'plumb-earlier-'));
  let fleet: Fleet;
  let databaseUrl = '';
  let key = '';

  beforeAll(async () => {
    closing(() => rmSync(earlier, { recursive: true, force: true }));
    buildCommit(commit ?? '', earlier);
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing(
      () => database.drop(),
      () => tables.drop(),
    );
    databaseUrl = database.url;
    const environment = {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: tables.url,
      PLUMB_SECRET: 'shared',
      PLUMB_THREADS: '1',
      PLUMB_RATE_LIMIT: '0',
    };
    fleet = new Fleet(environment);
    closing(() => fleet.close());
    await fleet.add(earlier);
    const folder = mkdtempSync(join(tmpdir(), 'plumb-upgrade-'));
    closing(() => rmSync(folder, { recursive: true, force: true }));
    const owner = 'owner@load.example';
    const run = async (words: readonly string[]) => {
      const done = await runPlumb(folder, [...words, '--json'], { environment, version: earlier });
      expect({ words, code: done.code, stderr: done.stderr }).toEqual({ words, code: 0, stderr: '' });
      return done.json<{ key: string }>();
    };
    await run(['org', 'create', '--name', 'Load', '--owner-email', owner]);
    key = (await run(['key', 'create', '--org', 'Load', '--as', owner, '--name', 'k'])).key;
  }, 300_000);

  const schema = async () => (await onDatabase(databaseUrl, 'SELECT max(version)::int AS version FROM migrations'))[0];

  test('Take records and answer questions, all of them the same, until the last of them is replaced', async () => {
    expect(await schema()).toEqual({ version: schemaVersion - 1 });
    let isUpgraded = false;
    const load = new Load({ fleet, key, isOver: () => isUpgraded, restMs: 20 });
    async function upgrade(): Promise<void> {
      await fleet.add();
      expect(await schema()).toEqual({ version: schemaVersion });
      const [asked, written] = [load.questions, load.sent.flat().length];
      const isBusy = () => load.questions > asked + 4 && load.sent.flat().length > written + 4;
      // Both versions at work over the new schema.
      await expect.poll(isBusy, { timeout: 60_000 }).toBe(true);
      expect(fleet.isServing(0)).toBe(true);
      await fleet.stop(0);
      await fleet.start(0);
    }
    const upgraded = upgrade().finally(() => {
      isUpgraded = true;
    });
    await Promise.all([load.write(0), load.question(), load.onboard(), upgraded]);
    expect(load.wrong).toEqual([]);
    const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };
    const body = { filters, group_by: ['pr_id', 'pr_merged_at'], order_by: 'pr_id', limit: 200 };
    const answers = [await fleet.ask(0, '/metrics/pull-requests-count', key, body)];
    answers.push(await fleet.ask(1, '/metrics/pull-requests-count', key, body));
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    const bodies = load.sent[0] ?? [];
    expect(JSON.parse(answers[0]?.text ?? '[]')).toHaveLength(Math.min(200, (bodies.length / 2) * 5));
    // Rows of earlier servers are changed over once none of these is left, and answers stay what they were.
    const layouts = () => onDatabase(databaseUrl, "SELECT layout::json ->> 'version' AS version FROM data_versions");
    await expect.poll(layouts, { timeout: 60_000 }).toEqual([{ version: '2' }]);
    expect(await fleet.ask(0, '/metrics/pull-requests-count', key, body)).toEqual(answers[0]);
    // Only what being replaced and the turn of others explain.
    expect(fleet.logs.join('')).not.toMatch(/"level":60|does not exist|UNKNOWN_IDENTIFIER/);
  }, 240_000);
});
