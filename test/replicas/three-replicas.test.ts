import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../src/access/api-keys.ts';
import { openStore } from '../../src/store/open.ts';
import { listPeople } from '../../src/store/people-rows.ts';
import { defaultLease as writerTurn } from '../../src/store/postgres/writer-turns.ts';
import type { Store } from '../../src/store/store.ts';
import { freshFolder } from '../conformance/stores.ts';
import { callServer } from '../setup/called-server.ts';
import { clickhouseAvailable, clickhouseIsGiven, type FreshTables, freshTables } from '../setup/clickhouse.ts';
import { forFewRows, startClickHouseServer } from '../setup/clickhouse-server.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { isEmulated } from '../setup/emulated-engine.ts';
import { isLong } from '../setup/how-long.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { type ReplayServer, startReplay } from '../sources/github/replay/server.ts';
import { someWorld } from '../sources/github/replay/some-world.ts';
import { askAt, Fleet } from './fleet.ts';
import { Load } from './load.ts';
import { onlySync, organisationWithSource } from './organisation-with-source.ts';
import { ScriptedSequence } from './scripted-sequence.ts';
import type { SentBody } from './send-until-taken.ts';

/** How long the load of the long run lasts. */
const seconds = 600;
const killEveryMs = 40_000;
const minKills = 5;
const org = 'Load';
const owner = 'owner@load.example';

describe.skipIf(!postgresAvailable || !clickhouseAvailable)(
  'three servers over one PostgreSQL and one ClickHouse',
  () => {
    const closing = closedAfterAll();
    let fleet: Fleet;
    let github: ReplayServer;
    let store: Store;
    let environment: Record<string, string> = {};
    let key = '';
    let organisationId = '';

    /** On an engine of their own: that of the run takes one statement at a time, and other tests would wait for the load. */
    async function tablesUnderLoad(): Promise<FreshTables> {
      if (clickhouseIsGiven) return freshTables();
      const server = await startClickHouseServer(isLong ? [] : forFewRows);
      return { url: new URL('/default', server.url).href, drop: () => server.stop() };
    }

    async function newFolder(): Promise<string> {
      const folder = freshFolder();
      closing(() => folder.remove());
      return folder.path;
    }

    const prepare = (folder: string, where: Readonly<Record<string, string>>) =>
      organisationWithSource(folder, where, { org, owner, githubUrl: github.url, isSynced: true });

    const people = Array.from({ length: 5 }, (_, i) => ({ main_email: `engineer-${i}@load.example`, name: `E ${i}` }));

    beforeAll(async () => {
      const [database, tables] = [await freshDatabase(), await tablesUnderLoad()];
      closing(
        () => database.drop(),
        () => tables.drop(),
      );
      github = await startReplay(someWorld());
      closing(() => github.close());
      environment = {
        DATABASE_URL: database.url,
        CLICKHOUSE_URL: tables.url,
        PLUMB_SECRET: 'shared',
        PLUMB_THREADS: '1',
      };
      const prepared = await prepare(await newFolder(), environment);
      key = prepared.key;
      organisationId = prepared.id;
      store = await openStore({ folder: '', databaseUrl: database.url });
      closing(() => store.close());
      fleet = new Fleet({ ...environment, PLUMB_RATE_LIMIT: '0' });
      closing(() => fleet.close());
      // One makes the tables, which the others find.
      await fleet.add();
      await Promise.all([fleet.add(), fleet.add()]);
      expect((await fleet.ask(0, '/ingest/people', key, people))?.status).toBe(200);
    });

    const sourceSync = () => onlySync(store);

    /** Every sync of this source asks for its repository once. */
    const syncsSeen = () => github.seen.filter(({ path }) => path === '/repos/acme/web').length;

    /** As if the last sync had been two hours ago. */
    const makeDue = () =>
      store.note((session) =>
        session.run(
          "UPDATE source_syncs SET started_at = started_at - interval '2 hours', finished_at = finished_at - interval '2 hours'",
        ),
      );

    /** Makes the source due, and waits until it was read and all who look for what is due have looked. */
    async function syncOnce(): Promise<void> {
      const { finished_at: last } = await sourceSync();
      await makeDue();
      await expect
        .poll(async () => (await sourceSync()).finished_at?.getTime() ?? 0, { timeout: 90_000, interval: 250 })
        .toBeGreaterThan(last?.getTime() ?? 0);
      // Whoever would do it once more has found it due by now.
      await pause(2_000);
    }

    const actor = { via: 'demo' } as const;
    const keys = () => new ApiKeys(store, () => new Date());
    async function makeKey() {
      const everyone = await store.read((session) => listPeople(session, organisationId));
      const creatorId = everyone.find(({ access_role }) => access_role === 'Owner')?.id ?? '';
      return keys().create(organisationId, actor, { creatorId, name: 'spare' });
    }
    const revokeKey = (id: string) => keys().revoke(organisationId, actor, id);

    // The gate leads the servers through a script: the same promises, each tried a few times and in a known order. Races
    // that only load brings about are for the long run. Load is too much for an emulated engine.
    if (isEmulated || !isLong)
      test('Three servers over one PostgreSQL and one ClickHouse lose nothing, do nothing twice and know everything within a second, in 8 questions with a kill and a sync', async () => {
        const before = syncsSeen();
        const sequence = new ScriptedSequence({ fleet, key, makeKey, revoke: revokeKey, afterKill: syncOnce });
        await sequence.run();
        expect(sequence.wrong).toEqual([]);
        expect(sequence).toMatchObject({ questions: 8, kills: 1, revokes: 1 });
        expect(syncsSeen() - before).toBe(1);
        await compareWithEmbedded([sequence.sent]);
      }, 600_000);
    else
      test(
        'Three servers over one PostgreSQL and one ClickHouse lose nothing, do nothing twice and know everything within a second, also when they are killed',
        async () => {
          const before = syncsSeen();
          const endsAt = performance.now() + seconds * 1_000;
          let [kills, rounds, isRoundOver] = [0, 0, false];
          const isOver = () => kills >= minKills && isRoundOver && performance.now() > endsAt;
          const load: Load = new Load({ fleet, key, isOver, restMs: 20 });

          /**
           * One after another; those that are left go on, and it comes back. Never in the middle of a sync, which would go on.
           * Where it was writing, the others wait for its turn to run out: the last kill leaves time for that.
           */
          async function kill(): Promise<void> {
            for (let next = performance.now() + killEveryMs; !isOver() && isTimeToKill(); ) {
              await pause(250);
              const second = new Date().getUTCSeconds();
              if (performance.now() < next || second < 8 || second > 55 || (await sourceSync()).holder !== null)
                continue;
              const victim = kills % fleet.size;
              await fleet.kill(victim);
              kills += 1;
              await pause(500);
              await fleet.start(victim);
              next = performance.now() + killEveryMs;
            }
          }
          const isTimeToKill = () => kills < minKills || performance.now() < endsAt - writerTurn.leaseMs;

          /** All of them look for what is due when a minute begins: there is no other round when the next one comes too late. */
          async function countSyncs(): Promise<void> {
            const nextLook = () => performance.now() + 60_000 - (Date.now() % 60_000);
            while (nextLook() < endsAt || rounds === 0) {
              rounds += 1;
              await syncOnce();
              if (syncsSeen() - before !== rounds)
                load.wrong.push(`${syncsSeen() - before} syncs where ${rounds} were due`);
              isRoundOver = true;
            }
          }

          await Promise.all([
            load.write(0),
            load.write(1),
            load.question(),
            load.question(),
            load.onboard(),
            load.revoke(makeKey, revokeKey),
            kill(),
            countSyncs(),
          ]);
          expect(load.wrong).toEqual([]);
          expect(rounds).toBeGreaterThan(0);
          expect(Math.min(load.questions, load.revokes, load.onboardings)).toBeGreaterThan(0);
          console.log(
            `three servers: ${load.sent.flat().length} bodies taken, ${load.questions} questions, ${load.onboardings} onboardings, ` +
              `${load.revokes} revokes, ${kills} kills, ${rounds} hourly syncs, ${load.refusals} answers that said to come back`,
          );
          await compareWithEmbedded(load.sent);
        },
        (seconds + 240) * 1_000,
      );

    const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
    const questions: readonly (readonly [metric: string, body: object])[] = [
      ['pull-requests-count', { filters, date_level: 'week' }],
      ['pull-requests-count', { filters, group_by: ['name', 'repository'] }],
      ['pull-requests-count', { filters, group_by: ['pr_id', 'pr_title', 'pr_merged_at', 'name'], order_by: 'pr_id' }],
      ['cycle-time', { filters, aggregation: 'avg', group_by: ['name'], date_level: 'day' }],
      ['cycle-time', { filters, aggregation: 'p90' }],
      ['users-count', { filters: {}, group_by: ['team_name'] }],
      ['reviews-count', { filters: { ...filters, start_date: '2020-01-01' }, group_by: ['name'] }],
    ];

    /** A server with a data folder that is sent the same says the same as each of the three. */
    async function compareWithEmbedded(sent: readonly (readonly SentBody[])[]): Promise<void> {
      const folder = await newFolder();
      const embedded = await prepare(folder, { PLUMB_THREADS: '1' });
      const alone = await callServer(folder, { PLUMB_RATE_LIMIT: '0', PLUMB_THREADS: '1' });
      try {
        for (const { path, body } of [{ path: '/ingest/people', body: people }, ...sent.flat()]) {
          expect((await askAt(alone.url, path, embedded.key, body)).status).toBe(200);
        }
        for (const [metric, body] of questions) {
          const expected = await askAt(alone.url, `/metrics/${metric}`, embedded.key, body);
          expect(expected.status).toBe(200);
          for (let i = 0; i < fleet.size; i += 1) {
            expect({ metric, i, answer: await fleet.ask(i, `/metrics/${metric}`, key, body) }).toEqual({
              metric,
              i,
              answer: expected,
            });
          }
        }
      } finally {
        await alone.stop();
      }
    }
  },
);
