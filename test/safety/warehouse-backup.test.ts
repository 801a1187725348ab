import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportedAnswers, surveys } from '../../src/catalogue/derivation-state.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { factTableNames } from '../../src/catalogue/tables/all-tables.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { mergePeople } from '../../src/directory/merging.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import type { EmbeddedApp } from '../../src/main.ts';
import { backup } from '../../src/safety/backup.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { verifyBackup } from '../../src/safety/verify.ts';
import type { TableDigest } from '../../src/warehouse/maintenance-port.ts';
import type { EmbeddedWarehouse } from '../../src/warehouse/warehouse.ts';
import {
  describeOnOneStore,
  embedded,
  freshFolder,
  noon,
  type StoreHome,
  someOrganisation,
  type TestedStore,
} from '../conformance/stores.ts';
import { isLong } from '../setup/how-long.ts';
import { digests, type FilledPlace, fillApp, filledPlace, ingestHistory, within, withinLast } from './filled-app.ts';
import { backUp, dump } from './filled-store.ts';
import { repacked, replace, rewrite, type SomeManifest } from './repacked.ts';

let folder: ReturnType<typeof freshFolder>;
let places: StoreHome[] = [];
beforeEach(() => {
  folder = freshFolder();
});
afterEach(async () => {
  folder.remove();
  for (const place of places) await place.remove();
  places = [];
});

const file = (name: string) => join(folder.path, name);
const copiesIn = (place: StoreHome) =>
  readdirSync(join(place.folder, 'warehouse')).filter((name) => !name.includes('.duckdb') && name !== 'temporary');

async function newPlace(engine: TestedStore): Promise<StoreHome> {
  const place = await engine.place();
  places.push(place);
  return place;
}

/** The same app, in which something happens just before a warehouse is copied: the store's snapshot is over by then. */
function interrupted(
  app: EmbeddedApp,
  happening: () => Promise<void>,
): { store: EmbeddedApp['store']; warehouse: EmbeddedWarehouse } {
  const warehouse = new Proxy(app.warehouse, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (name === 'copyOut') {
        return async (...given: Parameters<EmbeddedWarehouse['copyOut']>) => {
          await happening();
          return target.copyOut(...given);
        };
      }
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
  return { store: app.store, warehouse };
}

/** What the copies of people say, against what the store says. */
async function expectAgreement(app: EmbeddedApp, id: string): Promise<readonly TableDigest[]> {
  const found = await digests(app, id);
  const shown = await app.warehouse.read(id, (session) => session.select(peopleCopy, ['merged_user_id', 'name']));
  const { people = [] } = await dump(app.store);
  const known = people.filter((person) => person.organisation_id === id && person.merged_into === null);
  expect(new Map(shown.map((person) => [person.merged_user_id, person.name]))).toEqual(
    new Map(known.map((person) => [person.id, person.name])),
  );
  const authors = await app.warehouse.read(id, (session) => session.tally(pullRequests, ['merged_user_id']));
  const everyone = new Set(known.map((person) => person.id));
  expect(authors.filter(({ merged_user_id }) => merged_user_id !== null && !everyone.has(merged_user_id))).toEqual([]);
  return found;
}

/** A place with one organisation of `fillApp` in it. */
async function filledOn(engine: TestedStore): Promise<FilledPlace> {
  if (engine === embedded) {
    const filled = await filledPlace();
    places.push(filled.place);
    return filled;
  }
  const place = await newPlace(engine);
  return { place, id: await within(place, (app) => fillApp(app)) };
}

describeOnOneStore('a backup with warehouses', embedded, (engine) => {
  test('A backup with warehouses brings everything back, and shows the directory of its own store, even where that reaches the same version by another way', async () => {
    const [{ place: from, id }, to] = [await filledOn(engine), await newPlace(engine)];
    const { empty, before, name } = await withinLast(from, async (app) => {
      const context = { organisationId: id, actor: { via: 'demo' } } as const;
      const { id: other } = await someOrganisation(app.store);
      // As one that an older Plumb created, for which nothing was ever stored.
      await app.warehouse.remove(other);
      const before = await digests(app, id);
      const { people = [] } = await dump(app.store);
      const name = String(people.find(({ main_email }) => main_email === 'p7@x.org')?.name);
      const later = interrupted(app, async () => {
        await setPerson(app.directory, context, 'p6@x.org', { name: 'Later' }, { create: false });
      });
      await backUp(later, file('a'));
      return { empty: other, before, name };
    });
    for (const name of [...factTableNames, surveys.name, reportedAnswers.name])
      expect(before.find(({ table }) => table === name)?.rows).toBeGreaterThan(0);
    expect(await restoreInto(to, file('a'))).toMatchObject({ warehouses: 1 });
    await withinLast(to, async (app) => {
      expect(await app.warehouse.organisations()).toEqual([id]);
      expect(app.warehouse.holds(empty)).toBe(false);
      const context = { organisationId: id, actor: { via: 'demo' } } as const;
      await setPerson(app.directory, context, 'p7@x.org', { name: 'Other' }, { create: false });
      const people = await app.warehouse.read(id, (session) => session.select(peopleCopy, ['main_email', 'name']));
      const names = new Map(people.map((person) => [person.main_email, person.name]));
      expect(names.get('p6@x.org')).not.toBe('Later');
      expect(names.get('p7@x.org')).toBe('Other');
      await setPerson(app.directory, context, 'p7@x.org', { name }, { create: false });
      expect(await expectAgreement(app, id)).toEqual(before);
    });
  });

  test('A backup with warehouses whose warehouses are later than its store comes together again, and recomputing it changes nothing', async () => {
    const [{ place: from, id }, to] = [await filledOn(engine), await newPlace(engine)];
    await withinLast(from, async (app) => {
      const context = { organisationId: id, actor: { via: 'demo' } } as const;
      const later = interrupted(app, async () => {
        await setPerson(app.directory, context, 'new@x.org', { name: 'New', github_username: 'gh7' }, { create: true });
        await mergePeople(app.directory, context, 'p3@x.org', 'p4@x.org');
        await removePerson(app.directory, context, 'p5@x.org');
        await ingestHistory(app, id, 35, ['pull_requests', 'pull_request_reviews']);
      });
      await backUp(later, file('a'));
    });
    await restoreInto(to, file('a'));
    await withinLast(to, async (app) => {
      const found = await expectAgreement(app, id);
      await app.ingest.rederive(id);
      expect(await app.warehouse.checksum(id)).toEqual(found);
      const rows = await app.warehouse.read(id, (session) => session.tally(pullRequests, []));
      expect(rows).toEqual([{ rows: 35 }]);
    });
  });
});

describe('copies that a backup makes on the disk', () => {
  test('Copies that a backup makes on the disk are of one organisation at a time, and gone when it is done, given up or broken', async () => {
    const { place } = await filledOn(embedded);
    await withinLast(place, async (app) => {
      await app.ingest.publisher.publish((await someOrganisation(app.store)).id);
      let most = 0;
      const watched = interrupted(app, async () => {
        most = Math.max(most, copiesIn(place).length);
      });
      await backUp(watched, file('a'));
      expect(most).toBe(1);
      expect(copiesIn(place)).toEqual([]);

      let copied = 0;
      const givenUp = new Promise<void>((resolve) => {
        const stream = backup(
          interrupted(app, async () => {
            copied += 1;
            stream.destroy();
          }),
          { at: noon, plumbVersion: '1' },
        );
        stream.on('error', () => {}).on('close', resolve);
        stream.resume();
      });
      await givenUp;
      expect(copied).toBe(1);
      await expect.poll(() => copiesIn(place)).toEqual([]);

      const broken = interrupted(app, async () => {
        throw new Error('disk on fire');
      });
      await expect(backUp(broken, file('b'))).rejects.toThrow('disk on fire');
      expect(copiesIn(place)).toEqual([]);
    });
  });
});

describe('a backup file with warehouses', () => {
  let id = '';
  let manifest = '';
  let source: StoreHome;
  beforeAll(async () => {
    ({ place: source, id } = await filledPlace());
    await withinLast(source, (app) => backUp(app, join(source.folder, 'a')));
    manifest = `warehouse/${id}/manifest.json`;
  });
  beforeEach(() => copyFileSync(join(source.folder, 'a'), file('a')));
  afterAll(() => source.remove());

  type Change = Parameters<typeof repacked>[1];
  async function found(change: Change, problem: RegExp): Promise<void> {
    writeFileSync(file('broken'), await repacked(file('a'), change));
    expect((await verifyBackup(file('broken'))).findings).toMatchObject([{ problem: expect.stringMatching(problem) }]);
  }
  async function refused(change: Change, problem: RegExp): Promise<void> {
    await found(change, problem);
    await refusedBy(problem);
  }
  /** What finds it when a backup is verified is what refuses it when one is restored. */
  const refusedToo = isLong ? refused : found;
  async function refusedBy(problem: RegExp): Promise<void> {
    const to = await newPlace(embedded);
    await expect(restoreInto(to, file('broken'))).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringMatching(problem),
    });
    expect(readdirSync(to.folder)).toEqual(['folder.lock']);
  }

  test('A backup file with warehouses is found whole, and says how many rows each table has', async () => {
    const { findings, rows } = await verifyBackup(file('a'));
    expect(findings).toEqual([]);
    expect(rows).toMatchObject({ people: 21, 'warehouse/pull_requests': 30, 'warehouse/issues': 1 });
  });

  test('A backup file with warehouses is refused whatever of it was changed', async () => {
    const table = () => `warehouse/${id}/pull_requests.parquet`;
    await refused((entries) => {
      const bytes = Buffer.from(entries.get(table()) ?? '');
      bytes.writeUInt8(bytes.readUInt8(200) ^ 1, 200);
      entries.set(table(), bytes);
    }, /checksum of .*pull_requests\.parquet does not match/);
    await refusedToo((entries) => entries.delete(table()), /which its manifest does not expect there/);
    await refusedToo((entries) => entries.delete(manifest), /which its manifest does not expect there/);
    await refusedToo(
      (entries) => rewrite<SomeManifest>(entries, 'manifest.json', (value) => ({ ...value, warehouses: [] })),
      /which its manifest does not expect there/,
    );
    await refusedToo(
      (entries) =>
        rewrite<SomeManifest>(entries, 'manifest.json', (value) => ({
          ...value,
          warehouses: [id, '00000000-0000-4000-8000-000000000000'],
        })),
      /none of its organisations/,
    );
    await refusedToo(
      (entries) => rewrite<SomeManifest>(entries, 'manifest.json', (value) => ({ ...value, warehouses: ['../x'] })),
      /does not say whose warehouses/,
    );
    await refused(
      (entries) =>
        rewrite<SomeManifest>(entries, manifest, (value) => ({
          ...value,
          entries: value.entries.map((entry) => ({ ...entry, name: entry.name.replace('issues', '../../../issues') })),
        })),
      /not a table that this Plumb knows/,
    );
    await refusedToo(
      (entries) => rewrite<SomeManifest>(entries, manifest, (value) => ({ ...value, schemaVersion: 99 })),
      /warehouses of schema version 99/,
    );
  });

  test('A backup file with warehouses whose tables have other rows than it says is refused when it is taken in', async () => {
    writeFileSync(
      file('broken'),
      await repacked(file('a'), (entries) =>
        rewrite<SomeManifest>(entries, manifest, (value) => ({
          ...value,
          entries: value.entries.map((entry) =>
            entry.name.endsWith('/issues.parquet') ? { ...entry, rows: 2 } : entry,
          ),
        })),
      ),
    );
    await refusedBy(/issues of organisation .* has 1 rows instead of 2/);
  });

  test('A backup file with warehouses is not taken into a folder with warehouses that nobody knows', async () => {
    const to = await newPlace(embedded);
    await within(to, (app) => app.warehouse.change('00000000-0000-4000-8000-000000000000', async () => {}));
    await expect(restoreInto(to, file('a'))).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('Move them away'),
    });
    expect(readdirSync(join(to.folder, 'warehouse'))).toContain('00000000-0000-4000-8000-000000000000.duckdb');
  });

  test('A backup file with warehouses made before there were warehouses, and before the newest columns of the store, is taken in', async () => {
    const old = await repacked(file('a'), (entries) => {
      for (const name of [...entries.keys()]) if (name.startsWith('warehouse/')) entries.delete(name);
      const repositories = String(entries.get('store/repositories.ndjson'))
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { production_environments: _, ...row } = JSON.parse(line) as Record<string, unknown>;
          return `${JSON.stringify(row)}\n`;
        });
      replace(entries, 'manifest.json', 'store/repositories.ndjson', Buffer.from(repositories.join('')));
      rewrite<SomeManifest>(entries, 'manifest.json', ({ warehouses: _, ...value }) => ({
        ...value,
        formatVersion: 1,
        schemaVersion: 1,
      }));
    });
    writeFileSync(file('old'), old);
    expect((await verifyBackup(file('old'))).findings).toEqual([]);
    const to = await newPlace(embedded);
    expect(await restoreInto(to, file('old'))).toMatchObject({ warehouses: 0 });
    await withinLast(to, async (app) => {
      const { repositories, people } = await dump(app.store);
      expect(repositories).toMatchObject([{ name: 'a/b', deploy_workflows: '["x"]', production_environments: null }]);
      expect(people).toHaveLength(21);
      expect(await app.warehouse.organisations()).toEqual([]);
      await ingestHistory(app, id, 5, ['pull_requests', 'pull_request_reviews']);
      await expectAgreement(app, id);
    });
  });

  test('A backup file with warehouses of today that lacks a column is damaged', async () => {
    await refusedToo((entries) => {
      const rows = String(entries.get('store/repositories.ndjson')).replaceAll(/,"production_environments":null/g, '');
      replace(entries, 'manifest.json', 'store/repositories.ndjson', Buffer.from(rows));
    }, /no usable production_environments/);
  });
});
