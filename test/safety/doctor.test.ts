import { chmodSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { organisationStatuses } from '../../src/control/organisation-status.ts';
import { recordChecks } from '../../src/control/record-checks.ts';
import { DataFolder } from '../../src/data-folder.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { setPerson } from '../../src/directory/people.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { readPayload } from '../../src/ingest/read/posthook-payload.ts';
import {
  judgeClock,
  judgeClockBeside,
  judgeDisk,
  judgeNode,
  judgeOrganisations,
  judgePermissions,
  judgeStoreVersion,
  judgeThreadPool,
  judgeTimeZones,
} from '../../src/safety/diagnosis.ts';
import { type Diagnosis, examine } from '../../src/safety/doctor.ts';
import type { RecordCheck } from '../../src/safety/examine-records.ts';
import { countFound, wholeDetail } from '../../src/safety/finding.ts';
import { examineClockOf } from '../../src/safety/server-clocks.ts';
import { judgeFileDescriptors, judgeMemory, judgeRoom } from '../../src/safety/warehouse-health.ts';
import { openStore } from '../../src/store/open.ts';
import {
  describeOnEveryStore,
  embedded,
  noon,
  quickStore,
  type StoreHome,
  someOrganisation,
} from '../conformance/stores.ts';
import { sentBytes } from '../ingest/apply/posthook/hook.ts';
import { filledPlace, within } from './filled-app.ts';
import { filledHome } from './filled-home.ts';

const now = new Date('2026-01-01T00:00:00Z');
const sound = { environment: { UV_THREADPOOL_SIZE: '16' }, now, recordChecks };
const named = (diagnoses: readonly Diagnosis[], name: string) => diagnoses.find((diagnosis) => diagnosis.name === name);

const claimsIn = (diagnoses: readonly Diagnosis[]) =>
  ['sessions left out', 'sessions refused'].map((name) => named(diagnoses, name));

describe('what is judged', () => {
  test.each([
    [judgeNode('v20.1.0'), 'ok'],
    [judgeNode('v18.20.0'), 'problem'],
    [judgeThreadPool('16'), 'ok'],
    [judgeThreadPool(undefined), 'warning'],
    [judgeThreadPool('nonsense'), 'warning'],
    [judgeDisk(100 * 2 ** 30), 'ok'],
    [judgeDisk(2 ** 30), 'warning'],
    [judgeDisk(2 ** 20), 'problem'],
    [judgePermissions('/d', 0o40700, true), 'ok'],
    [judgePermissions('/d', 0o40750, true), 'warning'],
    [judgePermissions('/d', 0o40701, true), 'problem'],
    [judgePermissions('/d', 0o40755, false), 'problem'],
    [judgeStoreVersion('18.4'), 'ok'],
    [judgeStoreVersion('9.6.24'), 'warning'],
    [judgeTimeZones('13'), 'ok'],
    [judgeTimeZones(undefined), 'problem'],
    [judgeOrganisations(0), 'warning'],
    [judgeOrganisations(500), 'ok'],
    [judgeOrganisations(501), 'warning'],
    [judgeRoom(5, []), 'ok'],
    [judgeRoom(5, [5, 4, 3]), 'ok'],
    [judgeRoom(5, [4, 6]), 'warning'],
    [judgeMemory(3, 4), 'ok'],
    [judgeMemory(3.5, 4), 'warning'],
    [judgeMemory(5, 4), 'problem'],
    [judgeFileDescriptors(1_024, 6), 'ok'],
    [judgeFileDescriptors(1_024, 600), 'warning'],
    [judgeFileDescriptors(Number.POSITIVE_INFINITY, 600), 'ok'],
    [judgeClock(now, undefined), 'ok'],
    [judgeClock(now, noon), 'ok'],
    [judgeClock(new Date(0), undefined), 'problem'],
    [judgeClock(now, new Date('2026-01-01T00:02:00Z')), 'problem'],
    [judgeClockBeside('PostgreSQL', 5_000), 'ok'],
    [judgeClockBeside('PostgreSQL', -5_000), 'ok'],
    [judgeClockBeside('PostgreSQL', 6_000), 'warning'],
    [judgeClockBeside('PostgreSQL', -6_000), 'warning'],
    [judgeClockBeside('PostgreSQL', 61_000), 'problem'],
    [judgeClockBeside('PostgreSQL', -61_000), 'problem'],
  ])('%j', ({ status, detail }, wanted) => {
    expect(status).toBe(wanted);
    expect(detail).not.toBe('');
  });
});

test('Of an open folder it is said whether Plumb closes it itself', () => {
  expect(judgePermissions('/d', 0o40755, true).detail).toMatch(/opens it closes it to others.* `chmod o-rwx '\/d'`\.$/);
  expect(judgePermissions('/d', 0o40755, false).detail).toMatch(/Plumb does not start on it.* `chmod o-rwx '\/d'`\.$/);
});

describe('a clock beside that of a server', () => {
  /** What this machine says when it asks, what the server says, and what this machine says when it hears that. */
  const seen = async (asked: number, said: number, heard: number) => {
    const times = [asked, heard];
    const [found] = await examineClockOf(
      'PostgreSQL',
      async () => said,
      () => times.shift() ?? 0,
    );
    return found;
  };

  test('A clock beside that of a server is as far ahead or behind as it is for sure, however long the answer takes', async () => {
    expect(await seen(100_000, 160_000, 900_000)).toMatchObject({ status: 'ok' });
    expect(await seen(100_000, 40_000, 900_000)).toMatchObject({
      name: 'clock of PostgreSQL',
      status: 'warning',
      detail: expect.stringMatching(/^The clock here is 1m ahead of that of PostgreSQL: .*end too early.*\(NTP\)\.$/),
    });
    expect(await seen(100_000, 7_310_000, 110_000)).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/^The clock here is 2h behind that of PostgreSQL: .*still work.*\(NTP\)\.$/),
    });
  });

  test('A clock beside that of a server is not judged where the server does not answer, which is a problem', async () => {
    expect(await examineClockOf('PostgreSQL', () => Promise.reject(new Error('away')))).toMatchObject([
      { status: 'problem', detail: expect.stringContaining('See that this machine reaches it.') },
    ]);
  });
});

describeOnEveryStore('the doctor', (engine) => {
  test('The doctor finds a sound instance sound', async () => {
    const { place } = await filledHome(engine);
    const diagnoses = await examine({ ...place, ...sound });
    expect(diagnoses.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(named(diagnoses, 'organisations')?.detail).toBe('1');
    expect(named(diagnoses, 'leftovers')?.detail).toBe('none');
    await place.remove();
  });
});

describe('the doctor', () => {
  let place: StoreHome;
  beforeEach(async () => {
    place = await embedded.place();
  });
  afterEach(() => place.remove());

  /** For what is looked for in records: the store matters less there than what filling it takes. */
  async function quickPlace(): Promise<StoreHome> {
    const quick = await quickStore.place();
    onTestFinished(() => quick.remove());
    return quick;
  }

  test('The doctor sees a folder that does not exist, and does not make it', async () => {
    const folder = join(place.folder, 'absent');
    for (let i = 0; i < 2; i += 1) {
      expect(named(await examine({ folder, ...sound }), 'data folder')).toMatchObject({ status: 'warning' });
    }
  });

  test('The doctor sees a folder that others can read, and one that is in use', async () => {
    await (await openStore(place)).close();
    const owned = await DataFolder.claim(place.folder);
    chmodSync(place.folder, 0o755);
    owned.announce({
      pid: process.pid,
      url: 'http://127.0.0.1:4400',
      store: 'embedded',
      controlPort: 1,
      token: 'secret',
    });
    const diagnoses = await examine({ ...place, ...sound });
    expect(named(diagnoses, 'permissions')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('that opens it closes it to others'),
    });
    expect(named(diagnoses, 'server')).toMatchObject({ status: 'ok', detail: expect.stringContaining('4400') });
    chmodSync(place.folder, 0o700);
    const closed = await examine({ ...place, ...sound });
    expect(named(closed, 'store')).toMatchObject({ status: 'warning', detail: expect.stringContaining('in use') });
    expect(JSON.stringify(diagnoses)).not.toContain('secret');
    owned.release();
  });

  test('The doctor lists accounts that some records call a bot and others a person, with the counts', async () => {
    const place = await quickPlace();
    const comment = (id: number, person_login: string, person_is_bot: boolean | null) => ({
      line: id,
      value: { comment_id: `c${id}`, pr_id: 'p', source: 'github', person_login, person_is_bot },
    });
    const found = await within(place, async ({ store, warehouse, ingest }) => {
      const { id } = await someOrganisation(store);
      const after = async (...records: readonly ReturnType<typeof comment>[]) => {
        await ingest.put(id, [{ table: 'pull_request_comments', lines: records }]);
        return named(await examine({ ...place, ...sound, store, warehouse }), 'bots');
      };
      expect(await after(comment(1, 'ada', false), comment(2, 'renovate', true), comment(3, 'bob', null))).toEqual({
        name: 'bots',
        status: 'ok',
        detail: 'none',
      });
      const said = [4, 5].map((i) => comment(i, 'ada', false));
      return after(...said, comment(7, 'Ada', true), comment(8, 'grace', true), comment(9, 'grace', false));
    });
    expect(found).toMatchObject({ status: 'warning' });
    expect(found?.findings).toEqual([
      {
        organisation: expect.any(String),
        count: 2,
        examples: [
          'ada on github (1 says bot, 3 say person: taken for a person)',
          'grace on github (1 says bot, 1 says person: taken for a person)',
        ],
        more: 0,
      },
    ]);
    expect(named(await examine({ ...place, ...sound }), 'bots')).toEqual(found);
  });

  test('The doctor counts the incidents whose service is no repository, and says through when tables are complete, as status does', async () => {
    const place = await quickPlace();
    const [served, status] = await within(place, async (app) => {
      const { directory, store, warehouse, ingest } = app;
      const { id } = await someOrganisation(store);
      const lines = ['checkout', 'checkout', 'tills'].map((service, line) => ({
        line,
        value: { incident_id: `i${line}`, service, opened_at: '2025-12-31T08:00:00Z' },
      }));
      await ingest.put(id, [{ table: 'incidents', lines }]);
      const [one] = await organisationStatuses({ directory, tables: () => ({ warehouse }) }, id);
      return [await examine({ ...place, ...sound, store, warehouse }), one];
    });
    const found = named(served, 'incidents without a repository');
    expect(found).toMatchObject({ status: 'warning', summary: '3 incidents' });
    expect(found?.findings).toMatchObject([{ count: 3, examples: ['checkout 2', 'tills 1'], more: 0 }]);
    expect(status?.tables).toMatchObject([{ table: 'incidents', data_through: '2026-01-01T00:00:00Z' }]);
    const examples = status?.tables.map(({ table, rows, data_through }) => `${table} ${data_through} (${rows} rows)`);
    const freshness = { status: 'ok', findings: [{ examples }] };
    expect(named(served, 'freshness')).toMatchObject(freshness);
    expect(named(await examine({ ...place, ...sound }), 'freshness')).toMatchObject(freshness);
  });

  test('The doctor says what such an account is taken for where its login or the directory decides', async () => {
    const place = await quickPlace();
    await within(place, async (app) => {
      const { id } = await createOrganisation(
        app.directory,
        { via: 'demo' },
        { name: 'Acme', ownerEmail: 'owner@acme.example' },
      );
      const context = { organisationId: id, actor: { via: 'demo' } } as const;
      const people = ['ada', 'grace'].map((name, i) => ({
        line: i + 1,
        value: { merged_user_id: name, main_email: `${name}@acme.example`, logins: { github: name } },
      }));
      await putRecords(app.directory, context, 'people', people);
      const lines = ['renovate[bot]', 'ada', 'grace'].flatMap((person_login) =>
        [0, 1, 2, 3].map((i) => {
          // Grace's records call her a bot, the others' call them people.
          const person_is_bot = (i === 0) !== (person_login === 'grace');
          const comment_id = `${person_login}${i}`;
          return { line: 1, value: { comment_id, pr_id: 'p', source: 'github', person_login, person_is_bot } };
        }),
      );
      await app.ingest.put(id, [{ table: 'pull_request_comments', lines }]);
      await setPerson(app.directory, context, 'ada@acme.example', { is_bot: true });
      await setPerson(app.directory, context, 'grace@acme.example', { is_bot: false });
      await app.ingest.publisher.publish(id);
      const { store, warehouse } = app;
      const found = named(await examine({ ...place, ...sound, store, warehouse }), 'bots');
      const detail = found && wholeDetail(found);
      expect(detail).toContain(
        'renovate[bot] on github (1 says bot, 3 say person: taken for a bot, because its login ends in [bot])',
      );
      expect(detail).toContain(
        'ada on github (1 says bot, 3 say person: taken for a bot, because the directory says so)',
      );
      expect(detail).toContain(
        'grace on github (3 say bot, 1 says person: taken for a person, because the directory says so)',
      );
    });
  });

  test('The doctor sees warehouses, and memory that the machine does not have', async () => {
    const { place: filled } = await filledPlace();
    const diagnoses = await examine({ ...filled, ...sound, memory: 900_000e9 });
    await filled.remove();
    expect(named(diagnoses, 'warehouse folder')).toMatchObject({ status: 'ok' });
    expect(named(diagnoses, 'warehouses')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^1 of 0\.\d/),
    });
    expect(named(diagnoses, 'memory')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('PLUMB_MEMORY'),
    });
  });

  test('The doctor lists sessions that claim somebody else’s commit, and those that two engineers sent', async () => {
    const place = await quickPlace();
    const organisation = await within(place, async (app) => {
      const { id } = await createOrganisation(
        app.directory,
        { via: 'demo' },
        { name: 'Acme', ownerEmail: 'owner@acme.example' },
      );
      const people = ['ada', 'bob'].map((name, i) => ({
        line: i + 1,
        value: { merged_user_id: name, main_email: `${name}@acme.example`, logins: { github: name } },
      }));
      await putRecords(app.directory, { organisationId: id, actor: { via: 'demo' } }, 'people', people);
      const merged = { pr_id: 'p', source: 'github', person_login: 'ada', merge_commit_sha: 'm', additions: 10 };
      await app.ingest.put(id, [{ table: 'pull_requests', lines: [{ line: 1, value: merged }] }]);
      const send = async (person: string, tables: object): Promise<void> => {
        const payload = await readPayload(sentBytes({ schema_version: 1, tables }), {
          spoolFolder: place.folder,
          rejected: () => {},
        });
        await app.ingest.putPosted(id, payload.pieces(), { personId: person, isOwner: false }, () => {});
        await payload.close();
      };
      await send('bob', {
        sessions: [{ id: 'bobs', engineer_email: 'bob@acme.example' }],
        commit_sessions: [{ session_id: 'bobs', commit_id: 'm', lines_attributed: 4 }],
      });
      await send('ada', { sessions: [{ id: 'bobs', engineer_email: 'ada@acme.example' }] });
      return claimsIn(await examine({ ...place, ...sound, store: app.store, warehouse: app.warehouse }));
    });
    for (const check of organisation) {
      expect(check).toMatchObject({ status: 'warning', findings: [{ organisation: 'Acme', examples: ["'bobs'"] }] });
    }
    expect(claimsIn(await examine({ ...place, ...sound }))).toEqual(organisation);
  });

  test('The doctor counts what it finds and names the first three, or all, and says so of tables that cannot be read', async () => {
    const { place: filled } = await filledPlace();
    await within(filled, async (app) => {
      const ids = Array.from({ length: 55 }, (_, i) => `s${i}`);
      const check = (name: string, look: () => Promise<string[]>): RecordCheck => ({
        name,
        advice: 'Look at these.',
        things: ['session', 'sessions'],
        look: async (_reader, { maxExamples }) => countFound(await look(), maxExamples, (id) => id),
      });
      const checks = [
        check('many', async () => ids),
        check('none', async () => []),
        check('broken', () => Promise.reject(new Error('the engine said so'))),
      ];
      const { store, warehouse } = app;
      const found = await examine({ ...filled, ...sound, store, warehouse, recordChecks: checks });
      const many = { status: 'warning', detail: 'Look at these.', summary: '55 sessions' };
      expect(named(found, 'many')).toMatchObject({
        ...many,
        findings: [{ count: 55, examples: ['s0', 's1', 's2'], more: 52 }],
      });
      const isWhole = { ...filled, ...sound, store, warehouse, recordChecks: checks, isWhole: true };
      expect(named(await examine(isWhole), 'many')).toMatchObject({
        ...many,
        findings: [{ count: 55, examples: ids, more: 0 }],
      });
      expect(named(found, 'none')).toMatchObject({ status: 'ok', detail: 'none' });
      expect(named(found, 'broken')).toMatchObject({
        status: 'warning',
        summary: '1 organisation not read',
        findings: [{ count: 0, examples: [expect.stringContaining('plumb verify')] }],
      });
    });
    await filled.remove();
  });

  test('The doctor looks at one organisation, and at nothing of the installation, and refuses a name that means none', async () => {
    const place = await quickPlace();
    const actor = { via: 'demo' } as const;
    const answers = await within(place, async (app) => {
      for (const name of ['Acme', 'Other']) {
        const { id } = await createOrganisation(app.directory, actor, { name, ownerEmail: `owner@${name}.example` });
        const accounts = Array.from({ length: 105 }, (_, i) => (i === 0 ? 'ci[bot]' : `${name}-${i}`));
        const lines = accounts.map((person_login, i) => ({
          line: i + 1,
          value: { comment_id: `c${i}`, pr_id: 'p', source: 'github', person_login },
        }));
        await app.ingest.put(id, [{ table: 'pull_request_comments', lines }]);
        await app.ingest.publisher.publish(id);
      }
      const asked = { ...place, ...sound, store: app.store, warehouse: app.warehouse };
      await expect(examine({ ...asked, org: 'Nobody' })).rejects.toMatchObject({ reason: 'not-found' });
      return { acme: await examine({ ...asked, org: 'acme' }), all: await examine(asked) };
    });
    expect(answers.acme.map(({ name }) => name)).toEqual(recordChecks.map(({ name }) => name));
    const examples = (name: string) => [1, 10, 100].map((i) => `${name}-${i} on github (1 row)`);
    // Bots are not counted, and accounts are that a list of data quality has no room for.
    const unknown = (organisation: string) => ({
      organisation,
      count: 104,
      examples: examples(organisation),
      more: 101,
    });
    expect(named(answers.acme, 'unknown identities')).toMatchObject({
      summary: '104 accounts',
      findings: [unknown('Acme')],
    });
    expect(named(answers.all, 'unknown identities')).toMatchObject({
      summary: '208 accounts in 2 organisations',
      findings: [unknown('Acme'), unknown('Other')],
    });
    expect(await examine({ ...place, ...sound, org: 'Acme' })).toEqual(answers.acme);
    await expect(examine({ ...place, ...sound, org: 'Nobody' })).rejects.toMatchObject({ reason: 'not-found' });
    const nowhere = examine({ ...sound, folder: join(place.folder, 'absent'), org: 'Acme' });
    await expect(nowhere).rejects.toMatchObject({ reason: 'not-found' });
  });

  test('The doctor sees what interrupted work has left, and what to do about each', async () => {
    const leftovers = async (more: object = {}) => {
      const found = named(await examine({ ...place, ...sound, ...more }), 'leftovers');
      return found && { ...found, detail: wholeDetail(found) };
    };
    const stranger = '00000000-0000-4000-8000-000000000000';
    await (await openStore(place)).close();
    mkdirSync(join(place.folder, '.restoring'));
    mkdirSync(join(place.folder, 'warehouse', 'copy-x'), { recursive: true });
    const file = join(place.folder, 'warehouse', `${stranger}.duckdb`);
    writeFileSync(file, '');
    expect((await leftovers())?.detail).toMatch(
      /A restore .* was interrupted\. Run it again; .*copies.* next start\.$/,
    );
    const store = await openStore(place);
    await someOrganisation(store);
    mkdirSync(join(place.folder, '.verifying'));
    // Beside others, a file that belongs to none of them came with the restore.
    const joining = await leftovers({ store });
    expect(joining?.detail).toMatch(/A restore .* was interrupted\. Run it again;.*verifying is left over/);
    rmSync(file);
    const served = await leftovers({ store });
    expect(served?.detail).toMatch(/restoring is left over from a restore that is complete.*verifying is left over/);
    expect(served?.detail).not.toContain('copies');
    await store.close();
    rmdirSync(join(place.folder, '.restoring'));
    writeFileSync(file, '');
    expect(await leftovers()).toMatchObject({ status: 'warning', detail: expect.stringContaining(stranger) });
  });

  test('The doctor sees a store that cannot be opened, and a database that is not there, without telling its password', async () => {
    writeFileSync(join(place.folder, 'store.duckdb'), 'rubbish');
    expect(named(await examine({ ...place, ...sound }), 'store')).toMatchObject({ status: 'problem' });
    const away = await examine({ ...place, ...sound, databaseUrl: 'postgresql://plumb:s3cret@127.0.0.1:1/plumb' });
    expect(named(away, 'store')).toMatchObject({ status: 'problem', detail: expect.stringContaining('DATABASE_URL') });
    expect(JSON.stringify(away)).not.toContain('s3cret');
  });
});
