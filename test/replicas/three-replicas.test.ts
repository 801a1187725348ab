import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiKeys } from '../../src/access/api-keys.ts';
import { openStore } from '../../src/store/open.ts';
import { listPeople } from '../../src/store/people.ts';
import { usualLease as writerTurn } from '../../src/store/postgres/writer-turns.ts';
import { listSyncs, type SourceSyncRow } from '../../src/store/source-syncs.ts';
import type { Store } from '../../src/store/store.ts';
import { freshFolder } from '../conformance/stores.ts';
import { clickhouseAvailable, clickhouseIsGiven, type FreshTables, freshTables } from '../setup/clickhouse.ts';
import { forFewRows, startClickHouseServer } from '../setup/clickhouse-server.ts';
import { isEmulated } from '../setup/emulated-engine.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { type ReplayServer, startReplay } from '../sources/github/replay/server.ts';
import { someWorld } from '../sources/github/replay/some-world.ts';
import { Fleet } from './fleet.ts';
import { Load, type SentBody } from './load.ts';

const seconds = isLong ? 600 : 60;
/** Where the engine is emulated a number of questions ends the load, and not a time. */
const questionsMost = isEmulated ? 40 : Number.POSITIVE_INFINITY;
/** So that a minute in the gate takes no more of the processors than it has to. */
const restMs = isLong ? 20 : 80;
const killEveryMs = isLong ? 40_000 : 8_000;
const killsLeast = isLong ? 5 : 2;
const org = 'Load';
const owner = 'owner@load.example';

describe.skipIf(!postgresAvailable || !clickhouseAvailable)(
  'three servers over one PostgreSQL and one ClickHouse',
  () => {
    const closing: (() => unknown)[] = [];
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
      closing.push(() => folder.remove());
      return folder.path;
    }

    async function run(folder: string, words: readonly string[], where: Readonly<Record<string, string>>) {
      const { code, stdout, stderr } = await callPlumb(folder, [...words, '--json'], { environment: where });
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
      return JSON.parse(stdout) as Record<string, string>;
    }

    /** An organisation with engineers and a source, as it is everywhere before the load. */
    async function prepare(folder: string, where: Readonly<Record<string, string>>) {
      const { id = '' } = await run(folder, ['org', 'create', '--name', org, '--owner-email', owner], where);
      const settings = { base_url: github.url, token: 'replay-token', repositories: 'acme/web' };
      const words = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      await run(folder, ['source', 'add', 'github', '--org', org, '--name', 'Code', ...words], where);
      await run(folder, ['sync', '--org', org], where);
      const made = await run(folder, ['key', 'create', '--org', org, '--as', owner, '--name', 'k'], where);
      return { id, key: made.key ?? '' };
    }

    const people = Array.from({ length: 5 }, (_, i) => ({ main_email: `engineer-${i}@load.example`, name: `E ${i}` }));

    beforeAll(async () => {
      const [database, tables] = [await freshDatabase(), await tablesUnderLoad()];
      closing.push(
        () => database.drop(),
        () => tables.drop(),
      );
      github = await startReplay(someWorld());
      closing.push(() => github.close());
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
      closing.push(() => store.close());
      fleet = new Fleet({ ...environment, PLUMB_RATE_LIMIT: '0' });
      closing.push(() => fleet.close());
      for (let i = 0; i < 3; i += 1) await fleet.add();
      expect((await fleet.ask(0, '/ingest/people', key, people))?.status).toBe(200);
    }, 180_000);
    afterAll(async () => {
      for (const close of closing.toReversed()) await close();
    }, 60_000);

    const sourceSync = async (): Promise<SourceSyncRow> => {
      const [row] = await store.read((session) => listSyncs(session));
      if (!row) throw new Error('there is no source');
      return row;
    };

    /** Every sync of this source asks for its repository once. */
    const syncsSeen = () => github.seen.filter(({ path }) => path === '/repos/acme/web').length;

    /** As if the last sync had been two hours ago. */
    const makeDue = () =>
      store.note((session) =>
        session.run(
          "UPDATE source_syncs SET started_at = started_at - interval '2 hours', finished_at = finished_at - interval '2 hours'",
        ),
      );

    test(
      'lose nothing, do nothing twice and know everything within a second, also when they are killed',
      async () => {
        const before = syncsSeen();
        const endsAt = performance.now() + seconds * 1_000;
        let [kills, rounds, isRoundOver] = [0, 0, false];
        const isOver = () =>
          kills >= killsLeast && isRoundOver && (performance.now() > endsAt || load.questions >= questionsMost);
        const load: Load = new Load({ fleet, key, isOver, restMs });
        const keys = new ApiKeys(store, () => new Date());
        const ownerId = (await store.read((session) => listPeople(session, organisationId))).find(
          ({ access_role }) => access_role === 'Owner',
        )?.id;
        const actor = { via: 'demo' } as const;
        const makeKey = () => keys.create(organisationId, actor, { creatorId: ownerId ?? '', name: 'spare' });

        /**
         * One after another; those that are left go on, and it comes back. Never in the middle of a sync, which would go on.
         * Where it was writing, the others wait for its turn to run out: the last kill leaves time for that.
         */
        async function kill(): Promise<void> {
          for (let next = performance.now() + killEveryMs; !isOver() && isTimeToKill(); ) {
            await pause(250);
            const second = new Date().getUTCSeconds();
            if (performance.now() < next || second < 8 || second > 55 || (await sourceSync()).holder !== null) continue;
            const victim = kills % fleet.size;
            await fleet.kill(victim);
            kills += 1;
            await pause(500);
            await fleet.start(victim);
            next = performance.now() + killEveryMs;
          }
        }
        const isTimeToKill = () => kills < killsLeast || performance.now() < endsAt - writerTurn.leaseMs;

        /** All of them look for what is due when a minute begins: there is no other round when the next one comes too late. */
        async function countSyncs(): Promise<void> {
          const nextLook = () => performance.now() + 60_000 - (Date.now() % 60_000);
          while (nextLook() < endsAt || rounds === 0) {
            const { finished_at: last } = await sourceSync();
            await makeDue();
            rounds += 1;
            await expect
              .poll(async () => (await sourceSync()).finished_at?.getTime() ?? 0, { timeout: 90_000, interval: 250 })
              .toBeGreaterThan(last?.getTime() ?? 0);
            // Whoever would do it once more has found it due by now.
            await pause(2_000);
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
          load.revoke(makeKey, (id) => keys.revoke(organisationId, actor, id)),
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
      const alone = new Fleet({ PLUMB_RATE_LIMIT: '0', PLUMB_THREADS: '1' });
      await alone.addIn(folder);
      try {
        for (const { path, body } of [{ path: '/ingest/people', body: people }, ...sent.flat()]) {
          expect((await alone.ask(0, path, embedded.key, body))?.status).toBe(200);
        }
        for (const [metric, body] of questions) {
          const expected = await alone.ask(0, `/metrics/${metric}`, embedded.key, body);
          expect(expected?.status).toBe(200);
          for (let i = 0; i < fleet.size; i += 1) {
            expect({ metric, i, answer: await fleet.ask(i, `/metrics/${metric}`, key, body) }).toEqual({
              metric,
              i,
              answer: expected,
            });
          }
        }
      } finally {
        await alone.close();
      }
    }
  },
);
