import { beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { SourceSyncRow } from '../../src/store/source-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { freshFolder } from '../conformance/stores.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { type ReplayServer, startReplay } from '../sources/github/replay/server.ts';
import { someWorld } from '../sources/github/replay/some-world.ts';
import { Fleet } from './fleet.ts';
import { onlySync, organisationWithSource } from './organisation-with-source.ts';

const [org, owner] = ['Taken', 'owner@taken.example'];
const questions: readonly (readonly [metric: string, group: string])[] = [
  ['pull-requests-count', 'pr_id'],
  ['reviews-count', 'pr_review_id'],
];

describe.skipIf(!postgresAvailable || !clickhouseAvailable)('a server that is killed while it reads a source', () => {
  const closing = closedAfterAll();
  let fleet: Fleet;
  let github: ReplayServer;
  let store: Store;
  let key = '';
  /** Once the first page has come, the provider is away: whoever reads waits for it, and has not read everything. */
  let isAway = false;

  const prepare = async (folder: string, environment: Readonly<Record<string, string>>): Promise<string> =>
    (await organisationWithSource(folder, environment, { org, owner, githubUrl: github.url })).key;

  function newFolder(): string {
    const folder = freshFolder();
    closing(() => folder.remove());
    return folder.path;
  }

  beforeAll(async () => {
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing(
      () => database.drop(),
      () => tables.drop(),
    );
    github = await startReplay(someWorld(), {
      instead: () => (isAway ? { status: 503, headers: { 'retry-after': '1' }, body: {} } : undefined),
      answered: ({ query }) => {
        if (query !== undefined && github.seen.filter((one) => one.query !== undefined).length === 1) isAway = true;
      },
    });
    closing(() => github.close());
    const environment = {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: tables.url,
      PLUMB_SECRET: 'shared',
      PLUMB_THREADS: '1',
    };
    key = await prepare(newFolder(), environment);
    store = await openStore({ folder: '', databaseUrl: database.url });
    closing(() => store.close());
    fleet = new Fleet({ ...environment, PLUMB_RATE_LIMIT: '0' });
    closing(() => fleet.close());
    for (let i = 0; i < 2; i += 1) await fleet.add();
  }, 180_000);

  const sourceSync = () => onlySync(store);
  const begun = () => github.seen.filter(({ path, status }) => path === '/repos/acme/web' && status < 400).length;
  const processOf = ({ holder }: SourceSyncRow) => Number(holder?.split('/').at(-2));

  test('Leaves it to another, which reads the rest, and nothing is there twice', async () => {
    await expect.poll(() => isAway, { timeout: 90_000 }).toBe(true);
    const victim = fleet.numberOf(processOf(await sourceSync()));
    expect(victim).toBeGreaterThanOrEqual(0);
    expect(begun()).toBe(1);
    await fleet.kill(victim);
    isAway = false;
    const left = await sourceSync();
    expect(left).toMatchObject({ finished_at: null, outcome: null });
    // The lease of the one that was killed runs out first: a minute and a half, and then a look every minute.
    await expect.poll(async () => (await sourceSync()).outcome, { timeout: 200_000, interval: 500 }).toBe('complete');
    await fleet.start(victim);
    await expect.poll(async () => (await sourceSync()).holder).toBeNull();
    // Once by the one that was killed and once by the one that took over: whoever starts later finds nothing left to do.
    expect(begun()).toBe(2);
    const alone = await answersOfOneServer();
    for (let i = 0; i < fleet.size; i += 1) expect(await answers(fleet, i, key)).toEqual(alone);
  }, 360_000);

  async function answers(servers: Fleet, i: number, as: string): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const [metric, group] of questions) {
      const filters = { start_date: '2018-01-01', end_date: '2026-12-31' };
      const asked = await servers.ask(i, `/metrics/${metric}`, as, { filters, group_by: [group] });
      expect(asked).toMatchObject({ status: 200 });
      const rows = JSON.parse(asked?.text ?? '[]') as unknown[];
      expect(rows.length).toBeGreaterThan(2);
      found.push(rows);
    }
    return found;
  }

  /** What a server with a data folder says that has read everything at once. */
  async function answersOfOneServer(): Promise<unknown[]> {
    const folder = newFolder();
    const ownKey = await prepare(folder, { PLUMB_THREADS: '1' });
    const synced = await callPlumb(folder, ['sync', '--org', org, '--json'], { environment: { PLUMB_THREADS: '1' } });
    expect(synced).toMatchObject({ code: 0 });
    const alone = new Fleet({ PLUMB_RATE_LIMIT: '0', PLUMB_THREADS: '1' });
    await alone.addIn(folder);
    try {
      return await answers(alone, 0, ownKey);
    } finally {
      await alone.close();
    }
  }
});
