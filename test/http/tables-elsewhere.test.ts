import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reportedAnswers, surveys } from '../../src/catalogue/derivation-state.ts';
import { buildApp } from '../../src/http/server.ts';
import { Ingest } from '../../src/ingest/ingest.ts';
import { type App, type AppSettings, openApp } from '../../src/main.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { listPeople } from '../../src/store/people-rows.ts';
import { fillApp, filledPlace } from '../safety/filled-app.ts';
import { clickhouseAvailable, freshTables } from '../setup/clickhouse.ts';
import { gate } from '../setup/gate.ts';
import { isLong, soon } from '../setup/how-long.ts';
import { freshDatabase, postgresAvailable } from '../setup/postgres.ts';
import { ask } from '../setup/running-app.ts';

const actor = { via: 'demo' } as const;
const isAvailable = postgresAvailable && clickhouseAvailable;

describe.skipIf(!isAvailable)('servers whose tables are in ClickHouse', () => {
  const closing: (() => Promise<unknown>)[] = [];
  type Server = Awaited<ReturnType<typeof serve>>;
  let one: Server;
  let two: Server;
  let embedded: Server;
  const keys = { elsewhere: '', embedded: '' };
  let id = '';

  async function emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'plumb-elsewhere-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function serve(places: Pick<AppSettings, 'folder' | 'databaseUrl' | 'tablesUrl'>) {
    const app: App = await openApp({ memory: 512e6, threads: 1, ...places });
    closing.push(() => app.close());
    const settings = { rateLimit: 0, trustProxy: false };
    const httpApp = await buildApp({ ...app, ready: async () => {}, settings, logger: pino({ level: 'silent' }) });
    closing.push(() => httpApp.close());
    await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const { port } = httpApp.server.address() as AddressInfo;
    return {
      app,
      question: (key: string, metric: string, body: object) => ask(port, 'POST', `/metrics/${metric}`, { key, body }),
      read: (key: string, path: string, headers = {}) => ask(port, 'GET', path, { key, headers }),
    };
  }

  async function ownersKey({ store, keys: apiKeys }: App, organisationId: string): Promise<string> {
    const people = await store.read((session) => listPeople(session, organisationId));
    const owner = people.find(({ access_role }) => access_role === 'Owner');
    return (await apiKeys.create(organisationId, actor, { creatorId: owner?.id ?? '', name: 'k' })).key;
  }

  beforeAll(async () => {
    const [database, tables] = [await freshDatabase(), await freshTables()];
    closing.push(
      () => database.drop(),
      () => tables.drop(),
    );
    const places = { databaseUrl: database.url, tablesUrl: tables.url };
    one = await serve({ ...places, folder: await emptyFolder() });
    id = await fillApp(one.app);
    two = await serve({ ...places, folder: await emptyFolder() });
    const filled = await filledPlace();
    closing.push(() => filled.place.remove());
    embedded = await serve({ folder: filled.place.folder, databaseUrl: undefined });
    keys.elsewhere = await ownersKey(one.app, id);
    keys.embedded = await ownersKey(embedded.app, filled.id);
    await Promise.all([one.app.ingest.bringUp(id), embedded.app.ingest.bringUp(filled.id)]);
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  const filters = { start_date: '2024-01-01', end_date: '2024-12-31' };
  const questions: readonly (readonly [metric: string, body: object])[] = [
    ['pull-requests-count', { filters, date_level: 'week' }],
    ['pull-requests-count', { filters, group_by: ['repository'], order_by: 'pr_count' }],
    ['cycle-time', { filters, aggregation: 'median', group_by: ['name'] }],
    ['cycle-time', { filters, aggregation: 'avg', date_level: 'month' }],
    ['reviews-count', { filters, group_by: ['name'] }],
    ['deployment-frequency', { filters, date_level: 'day' }],
    ['users-count', { filters: {}, group_by: ['team_name'] }],
    ['pull-requests-size', { filters, aggregation: 'p90', group_by: ['name', 'repository'] }],
    ['pull-requests-count', { filters, group_by: ['pr_id', 'pr_title', 'pr_created_at', 'labels'], order_by: 'pr_id' }],
    ['pull-requests-count', { filters: { ...filters, repositories: [{ repository_name: 'b' }] } }],
    ['survey-responses-count', { filters, group_by: ['answer_value', 'team_names'], order_by: 'answer_value' }],
    // One of the groups of an anonymous survey, and a part of the other.
    ['survey-responses-count', { filters: { ...filters, team: ['T1', 'T2'] }, group_by: ['answer_value'] }],
  ];

  test('Say what a server says whose tables are in its folder, each of them the same', async () => {
    const hidden: unknown[] = [];
    for (const [i, [metric, body]] of questions.entries()) {
      const answers = [
        await embedded.question(keys.embedded, metric, body),
        await one.question(keys.elsewhere, metric, body),
        // Both read the same tables in the same way.
        ...(isLong || i % 4 === 3 ? [await two.question(keys.elsewhere, metric, body)] : []),
      ];
      const [expected] = answers;
      expect(expected?.status).toBe(200);
      const said = (answer: typeof expected) => ({
        metric,
        text: answer?.text,
        hidden: answer?.headers['x-suppressed'],
      });
      for (const answer of answers) expect(said(answer)).toEqual(said(expected));
      hidden.push(said(expected).hidden);
    }
    expect(hidden.filter((many) => many !== undefined)).toEqual(['0', '3']);
  });

  test('Know within a second what another of them was brought', async () => {
    const count = async (server: Server) => {
      const answer = await server.question(keys.elsewhere, 'pull-requests-count', { filters });
      return (answer.json as { pr_count: number }[])[0]?.pr_count ?? 0;
    };
    const before = await count(two);
    const value = { pr_id: 'new', repository: 'a/b', pr_created_at: '2024-03-01T00:00:00Z', pr_state: 'open' };
    await one.app.ingest.put(id, [{ table: 'pull_requests', lines: [{ line: 1, value }] }]);
    await expect.poll(() => count(two), soon).toBe(before + 1);
    expect(await count(one)).toBe(before + 1);
  });

  test('Divide a survey once, whichever of them finds that its time has come', async () => {
    const answeredAt = new Date().toISOString();
    const survey = { survey_id: 'open', survey_status: 'active', final_response_submitted_at: answeredAt };
    const answer = (i: number) => ({
      line: i,
      value: { ...survey, survey_response_id: `open-${i}`, survey_recipient_id: `open-${i}`, answer_value: '4' },
    });
    await one.app.ingest.put(id, [{ table: 'survey_responses', lines: [1, 2, 3].map(answer) }]);
    const divided = ({ app }: Server) =>
      app.warehouse.read(id, async (reader) => {
        const where = { column: 'survey_id', in: ['open'] };
        const found = await reader.select(surveys, ['divided_at'], where);
        return {
          at: found.map(({ divided_at }) => divided_at),
          groups: await reader.tally(reportedAnswers, ['report_group'], where),
        };
      });
    await expect.poll(() => divided(two), soon).toEqual({ at: [null], groups: [] });
    const later = Date.parse(answeredAt) / 1_000 + 15 * 86_400;
    // A second apart, so that it is seen which of them did it.
    const divider = ({ app: { store, warehouse } }: Server, seconds: number) =>
      new Ingest(store, warehouse, { sharesTables: true, now: () => new Date((later + seconds) * 1_000) });
    const [first, second] = [divider(one, 0), divider(two, 1)];
    const isDivided = gate();
    const change = two.app.warehouse.change.bind(two.app.warehouse);
    const held = vi.spyOn(two.app.warehouse, 'change').mockImplementation(async (...given) => {
      await isDivided.passed;
      return change(...given);
    });
    const dividedBySecond = second.divideSurveys(id);
    // The second has seen by now that it is time.
    await expect.poll(() => held.mock.calls.length).toBe(1);
    expect(await first.divideSurveys(id)).toBe(true);
    isDivided.open();
    await dividedBySecond;
    held.mockRestore();
    const after = { at: [Math.floor(later)], groups: [{ report_group: 'open#1', rows: 3 }] };
    for (const server of [one, two]) await expect.poll(() => divided(server), soon).toEqual(after);
    for (const ingest of [first, second]) expect(await ingest.divideSurveys(id)).toBe(false);
  });

  test('Take no key within a second that another of them has revoked', async () => {
    const people = await two.app.store.read((session) => listPeople(session, id));
    const someone = people.find(({ access_role }) => access_role === 'Owner');
    const spare = await one.app.keys.create(id, actor, { creatorId: someone?.id ?? '', name: 'spare' });
    const status = async () => (await two.question(spare.key, 'users-count', { filters: {} })).status;
    await expect.poll(status).toBe(200);
    await one.app.keys.revoke(id, actor, spare.id);
    await expect.poll(status, soon).toBe(401);
  });

  test('Make no backup of files that they do not have, nor restore one beside their tables', async () => {
    const backup = async () => {
      for await (const _ of one.app.backUp(actor, { at: new Date(0), plumbVersion: '0' })) return;
    };
    await expect(backup()).rejects.toMatchObject({ reason: 'conflict' });
    const restoring = restoreInto({ folder: tmpdir(), tablesUrl: 'http://127.0.0.1:1' }, 'no-file');
    await expect(restoring).rejects.toMatchObject({ reason: 'conflict' });
  });
});
