import { randomUUID } from 'node:crypto';
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportedAnswers } from '../../src/catalogue/derivation-state.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { surveyResponses } from '../../src/catalogue/tables/surveys.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { auditedBackup } from '../../src/safety/backup.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { verify, verifyBackup } from '../../src/safety/verify.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { storeTables } from '../../src/store/all-store-tables.ts';
import { auditEntries } from '../../src/store/audit.ts';
import { openStore } from '../../src/store/open.ts';
import type { TableDigest } from '../../src/warehouse/maintenance-port.ts';
import { describeOnOneStore, embedded, freshFolder, noon, type StoreHome } from '../conformance/stores.ts';
import { isLong } from '../setup/how-long.ts';
import { digests, filledPlace, within, withinLast } from './filled-app.ts';
import { filledHome } from './filled-home.ts';
import { dump, fill } from './filled-store.ts';
import { repacked, replace, rewrite, type SomeManifest } from './repacked.ts';

const actor = { via: 'command', user: 'ann@host' } as const;
const folder = freshFolder();
const file = join(folder.path, 'one.backup');
const bare = join(folder.path, 'without-answers-and-salaries.backup');
const places: StoreHome[] = [];
/** Two organisations, of which the first is backed up; what it holds, by table. */
let [mine, others] = ['', ''];
let kept: readonly TableDigest[] = [];
let rows: Awaited<ReturnType<typeof dump>>;
let source: StoreHome;

async function newPlace(engine = embedded): Promise<StoreHome> {
  const place = await engine.place();
  places.push(place);
  return place;
}

/** Sources come back as the API could have made them. */
const throughApi = (row: Readonly<Record<string, unknown>>) => ('added_by' in row ? { ...row, added_by: 'api' } : row);
const ownerOf = (row: Readonly<Record<string, unknown>>): unknown => row.organisation_id ?? row.id;

beforeAll(async () => {
  const filled = await filledPlace();
  source = filled.place;
  places.push(source);
  mine = filled.id;
  await within(source, async (app) => {
    // Where it is restored, another one is called Example.
    await setOrganisation(app.directory, { organisationId: mine, actor }, { name: 'Mine' });
    others = (await fill(app.store, 3)).id;
    await app.ingest.bringUp(others);
    const { effective } = await app.store.read((session) => findPerson(session, mine, 'owner@example.com'));
    await app.sessions.begin(mine, effective.id, 'link');
    kept = await digests(app, mine);
    rows = await dump(app.store);
    const options = { at: noon, plumbVersion: '1.2.3', organisationId: mine };
    await pipeline(auditedBackup(app, actor, options), createWriteStream(file));
    const without = { ...options, leftOut: ['survey answers', 'salaries'] as const };
    await pipeline(auditedBackup(app, actor, without), createWriteStream(bare));
    const ofOthers = await app.store.read((session) => auditEntries(session, others, 100));
    expect(ofOthers.map(({ action }) => action)).not.toContain('backup.create');
    const ofMine = await app.store.read((session) => auditEntries(session, mine, 100));
    const made = ofMine.find(({ action }) => action === 'backup.create');
    expect(made).toMatchObject({ subject: mine, actor: 'ann@host' });
    expect(JSON.parse(made?.details ?? '')).toMatchObject({ only_this_organisation: true, rows: expect.any(Number) });
  });
});
afterAll(async () => {
  folder.remove();
  for (const place of places) await place.remove();
});

test('Every table of the store says whose its rows are', () => {
  const silent = storeTables.filter(({ name, columns }) => name !== 'organisations' && !('organisation_id' in columns));
  expect(silent).toEqual([]);
});

test('A backup of one organisation holds nothing of another one, and no way to sign in', async () => {
  const bytes = gunzipSync(readFileSync(file));
  expect(bytes.includes(mine)).toBe(true);
  expect(bytes.includes(others)).toBe(false);
  for (const table of ['sign_ins', 'sessions', 'passwords']) {
    const hash = String(rows[table]?.find((row) => ownerOf(row) === mine)?.hash);
    expect(hash).not.toBe('undefined');
    expect(bytes.includes(hash)).toBe(false);
  }
  expect((await verifyBackup(file)).findings).toEqual([]);
});

test('One of an organisation that does not exist is refused before the first byte', async () => {
  await withinLast(source, async (app) => {
    const nobody = randomUUID();
    const options = { at: noon, plumbVersion: '1.2.3', organisationId: nobody };
    await expect(async () => {
      for await (const _ of auditedBackup(app, actor, options));
    }).rejects.toThrow(`There is no organisation ${nobody}.`);
  });
});

describeOnOneStore('restored', embedded, (engine) => {
  const restoredRows = () =>
    Object.fromEntries(
      Object.entries(rows).map(([name, all]) => [
        name,
        ['sign_ins', 'sessions', 'passwords'].includes(name)
          ? []
          : all.filter((row) => ownerOf(row) === mine).map(throughApi),
      ]),
    );

  test('Restored into an empty place it is all there is, as it was; without answers to surveys and salaries neither they nor the key of identifiers', async () => {
    const [before] = restoredRows().organisations ?? [];
    const key = String(before?.survey_key);
    expect(key.length).toBeGreaterThan(20);
    expect(gunzipSync(readFileSync(file)).includes(key)).toBe(true);
    expect(gunzipSync(readFileSync(bare)).includes(key)).toBe(false);
    expect(gunzipSync(readFileSync(file)).includes('"salary":1e+300')).toBe(true);
    expect(gunzipSync(readFileSync(bare)).includes('"salary":1')).toBe(false);
    const verified = await verifyBackup(bare);
    expect(verified.findings).toEqual([]);
    expect(verified.notices.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('survey answers are not in it'),
      expect.stringContaining('salaries are not in it'),
    ]);
    // The copy of the directory beside the records has salaries as well.
    expect(Object.keys((await verifyBackup(file)).rows)).toContain(`warehouse/${peopleCopy.name}`);
    expect(Object.keys(verified.rows)).not.toContain(`warehouse/${peopleCopy.name}`);
    const place = await newPlace(engine);
    expect((await restoreInto(place, bare)).leftOut).toEqual(['survey answers', 'salaries']);
    await withinLast(place, async (app) => {
      const answers: readonly string[] = [surveyResponses.name, reportedAnswers.name];
      const found = await digests(app, mine);
      const isWhole = ({ table }: TableDigest) => !answers.includes(table) && table !== peopleCopy.name;
      expect(found.filter(isWhole)).toEqual(kept.filter(isWhole));
      for (const name of answers) {
        const rowsIn = (all: readonly TableDigest[]) => all.find(({ table }) => table === name)?.rows;
        expect({ name, before: rowsIn(kept), after: rowsIn(found) }).toEqual({ name, before: 5, after: 0 });
      }
      expect((await verify(app.store, { warehouse: app.warehouse })).findings).toEqual([]);
      const { audit_events: _, organisations, ...others } = await dump(app.store);
      const { audit_events: __, organisations: ___, ...expected } = restoredRows();
      expect(others).toEqual({ ...expected, people: expected.people?.map((row) => ({ ...row, salary: null })) });
      expect(organisations).toEqual([{ ...before, survey_key: expect.any(String) }]);
    });
  });

  test('Restored to others it comes beside them, and changes nothing of theirs', async () => {
    const { place, id } = await filledHome(engine);
    places.push(place);
    const before = await within(place, async (app) => {
      await app.ingest.bringUp(id);
      return dump(app.store);
    });
    await restoreInto(place, file, { by: { actor, at: noon } });
    await within(place, async (app) => {
      const after = await dump(app.store);
      for (const { name } of storeTables) {
        expect(after[name]?.filter((row) => ownerOf(row) === id)).toEqual(before[name]);
        if (name === 'audit_events') continue;
        expect(after[name]?.filter((row) => ownerOf(row) === mine)).toEqual(restoredRows()[name]);
      }
      expect(await digests(app, mine)).toEqual(kept);
      expect((await verify(app.store, { warehouse: app.warehouse })).findings).toEqual([]);
      const events = (after.audit_events ?? []).filter(({ action }) => action === 'backup.restore');
      expect(events.map(ownerOf)).toEqual([mine]);
    });
    expect(existsSync(join(place.folder, '.restoring'))).toBe(false);
    // A second time it would be there twice.
    await expect(restoreInto(place, file)).rejects.toThrow(`Organisation ${mine} is here already.`);
  });
});

type BackupRow = Record<string, unknown>;

async function edited(table: string, change: (row: BackupRow) => BackupRow): Promise<string> {
  const name = `store/${table}.ndjson`;
  const bytes = await repacked(file, (entries) => {
    const [first = '', ...rest] = String(entries.get(name)).split('\n');
    const line = JSON.stringify(change(JSON.parse(first) as BackupRow));
    replace(entries, 'manifest.json', name, Buffer.from([line, ...rest].join('\n')));
  });
  const path = join(folder.path, `edited-${table}.backup`);
  writeFileSync(path, bytes);
  return path;
}

describe('where another organisation is', () => {
  let place: StoreHome;
  let before: Awaited<ReturnType<typeof dump>>;
  beforeAll(async () => {
    ({ place } = await filledHome(embedded));
    places.push(place);
    before = await contents();
  });

  async function contents() {
    const store = await openStore(place);
    try {
      return await dump(store);
    } finally {
      await store.close();
    }
  }

  test('An edited one cannot bring a key, a person or tables into another organisation', async () => {
    const victim = String(before.organisations?.[0]?.id);
    for (const table of isLong ? ['api_keys', 'people', 'audit_log'] : ['api_keys', 'people']) {
      const path = await edited(table, (row) => ({ ...row, organisation_id: victim }));
      await expect(restoreInto(place, path)).rejects.toThrow(`is not of organisation ${mine}, the only one in it`);
    }
    const asOther = await edited('organisations', (row) => ({ ...row, id: victim }));
    await expect(restoreInto(place, asOther)).rejects.toThrow(`is not of organisation ${mine}, the only one in it`);
    const path = join(folder.path, 'foreign-tables.backup');
    const withTables = await repacked(file, (entries) => {
      rewrite<SomeManifest>(entries, 'manifest.json', (manifest) => ({ ...manifest, warehouses: [mine, victim] }));
    });
    writeFileSync(path, withTables);
    await expect(restoreInto(place, path)).rejects.toThrow('does not say which organisation it holds');
  });

  test('An edited one cannot take over the keys and webhooks of others', async () => {
    const [key] = before.api_keys ?? [];
    const [source] = before.sources ?? [];
    const cases = [
      await edited('api_keys', (row) => ({ ...row, hash: key?.hash })),
      await edited('sources', (row) => ({ ...row, id: source?.id })),
    ];
    for (const path of cases) await expect(restoreInto(place, path)).rejects.toThrow('that is here already');
    expect(existsSync(join(place.folder, 'warehouse', `${mine}.duckdb`))).toBe(false);
  });

  test('One that is called as another is not restored beside it, and says which one stands in its way', async () => {
    const [other] = before.organisations ?? [];
    const path = await edited('organisations', (row) => ({ ...row, name: 'eXAMPLE' }));
    await expect(restoreInto(place, path)).rejects.toThrow(
      `An organisation called 'Example' is here already (${other?.id}). Give it another name first: plumb org set --org ${other?.id} name=…`,
    );
  });

  test('Tables of the same organisation that nobody knows of are not replaced, unless a restore has left them', async () => {
    const stray = join(place.folder, 'warehouse', `${mine}.duckdb`);
    mkdirSync(join(place.folder, 'warehouse'), { recursive: true });
    copyFileSync(file, stray);
    await expect(restoreInto(place, file)).rejects.toThrow(
      'holds warehouses of organisations that the store does not know',
    );
    expect(readFileSync(stray).equals(readFileSync(file))).toBe(true);
    // Nor has anything come of what was refused before.
    expect(await contents()).toEqual(before);
    // What a restore leaves that was killed after it moved the tables, and before the store knew of them.
    mkdirSync(join(place.folder, '.restoring'));
    await restoreInto(place, file);
    await withinLast(place, async (app) => expect(await digests(app, mine)).toEqual(kept));
  });
});

/** The backup with these sources beside its own. */
async function withSources(name: string, more: readonly BackupRow[]): Promise<string> {
  const bytes = await repacked(file, (entries) => {
    for (const table of ['sources', 'source_syncs']) {
      const path = `store/${table}.ndjson`;
      const lines = String(entries.get(path)).trimEnd().split('\n');
      const like = JSON.parse(lines[0] ?? '') as BackupRow;
      const added = more.map((source) =>
        table === 'sources'
          ? { ...like, ...source, name: source.id, name_key: source.id, secrets: source.secrets ?? null }
          : { ...like, source_id: source.id },
      );
      const all = [...lines, ...added.map((row) => JSON.stringify(row))];
      replace(entries, 'manifest.json', path, Buffer.from(`${all.join('\n')}\n`));
      rewrite<SomeManifest>(entries, 'manifest.json', (manifest) => ({
        ...manifest,
        entries: manifest.entries.map((entry) => (entry.name === path ? { ...entry, rows: all.length } : entry)),
      }));
    }
  });
  const path = join(folder.path, `${name}.backup`);
  writeFileSync(path, bytes);
  return path;
}

const byCommand = (id: string, kind: string, settings: Record<string, string>, secrets: string | null = null) => ({
  id,
  kind,
  added_by: 'command',
  settings: JSON.stringify(settings),
  secrets,
});
const ownedByMachine = [
  byCommand('env', 'github', {
    organization: 'acme',
    token: 'env:AWS_SECRET_ACCESS_KEY',
    base_url: 'https://203.0.113.7',
  }),
  byCommand('file', 'github', { organization: 'acme', token: 'file:/etc/shadow' }),
  byCommand('clone', 'git', { path: '/srv/other-tenant', repository: 'a/b' }),
  byCommand('inside', 'github', { organization: 'acme', base_url: 'http://10.0.0.5' }, 'v2.key.bytes'),
];

test('The sources of an edited one come as a page could have made them, unless the operator trusts it', async () => {
  const trusted = await newPlace();
  const secrets = new Secrets({ folder: trusted.folder });
  const token = await secrets.encrypt('{"token":"theirs"}', 'sources/earlier/secrets');
  const settings = { organization: 'acme', base_url: 'https://203.0.113.7' };
  const earlier = byCommand('earlier', 'github', settings, token.replace('v2.', 'v1.'));
  const path = await withSources('foreign-sources', [...ownedByMachine, earlier]);
  const { place } = await filledHome(embedded);
  places.push(place);
  const { sourcesLeftOut, rows: count } = await restoreInto(place, path);
  expect(sourcesLeftOut.map(({ source, setting }) => [source, setting])).toEqual([
    ['env', 'token'],
    ['file', 'token'],
    ['clone', null],
    ['inside', 'base_url'],
    ['inside', 'secrets'],
    ['earlier', 'secrets'],
  ]);
  await withinLast(place, async (app) => {
    const found = (await app.sources.list(mine)).map(({ row }) => row);
    expect(
      found.map(({ name, added_by, settings, secrets }) => [name, added_by, JSON.parse(settings), secrets]),
    ).toEqual([
      ['earlier', 'api', { organization: 'acme', base_url: 'https://203.0.113.7' }, null],
      ['env', 'api', { organization: 'acme', base_url: 'https://203.0.113.7' }, null],
      ['file', 'api', { organization: 'acme' }, null],
      ['Höst', 'api', { organization: 'acme' }, 'v2.key.bytes'],
      ['inside', 'api', { organization: 'acme' }, null],
    ]);
    expect((await verify(app.store, { warehouse: app.warehouse })).findings).toEqual([]);
    for (const name of ['env', 'file']) {
      await expect(app.sources.prepare(await app.sources.named(mine, name))).rejects.toThrow('token is missing');
    }
  });
  const whole = await restoreInto(trusted, path, { trustSources: true });
  // The clone and its sync.
  expect([whole.sourcesLeftOut, whole.rows - count]).toEqual([[], 2]);
  await withinLast(trusted, async (app) => {
    const found = (await app.sources.list(mine)).map(({ row }) => [
      row.id,
      row.kind,
      row.added_by,
      JSON.parse(row.settings),
    ]);
    for (const { id, kind, settings } of ownedByMachine) {
      expect(found).toContainEqual([id, kind, 'command', JSON.parse(settings)]);
    }
    // Opening the place has encrypted it again, for its address.
    const bound = await app.sources.prepare(await app.sources.named(mine, 'earlier'));
    expect(bound.settings.token).toBe('theirs');
  });
});
