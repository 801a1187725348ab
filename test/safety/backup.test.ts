import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Sessions } from '../../src/access/sign-in-sessions.ts';
import { DataFolder } from '../../src/data-folder.ts';
import { type BackupSource, backup } from '../../src/safety/backup.ts';
import { restoreInto } from '../../src/safety/restore.ts';
import { verify, verifyBackup } from '../../src/safety/verify.ts';
import { backupTables } from '../../src/store/all-store-tables.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { openWarehouse } from '../../src/warehouse/open.ts';
import {
  describeOnEveryStore,
  embedded,
  freshFolder,
  noon,
  postgres,
  type StoreHome,
  type TestedStore,
} from '../conformance/stores.ts';
import { isLong, times } from '../setup/how-long.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { type FilledHome, filledHome } from './filled-home.ts';
import { backUp, dump, fill } from './filled-store.ts';
import { repacked, rewrite } from './repacked.ts';

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

async function newPlace(engine: TestedStore): Promise<StoreHome> {
  const place = await engine.place();
  places.push(place);
  return place;
}

type Work<T> = (store: Store, source: BackupSource) => Promise<T>;

async function within<T>(place: StoreHome, work: Work<T>): Promise<T> {
  const store = await openStore(place);
  const warehouse = await openWarehouse({ folder: place.folder, limits: { threads: 1 } });
  try {
    return await work(store, { store, warehouse });
  } finally {
    await warehouse.close();
    await store.close();
  }
}

/** The same for the last time: the place is removed afterwards. */
const withinLast = <T>(place: StoreHome, work: Work<T>): Promise<T> =>
  within(place, async (store, source) => {
    try {
      return await work(store, source);
    } finally {
      await throwAway(place.folder);
    }
  });

/** The same store, in which something happens after the first statements of whoever reads it. */
function heldUp(store: Store, happening: () => Promise<void>): Store {
  const read: Store['read'] = (work, turn) =>
    store.read((session) => {
      let statements = 0;
      return work({
        async rows(...given) {
          statements += 1;
          if (statements === 5) await happening();
          return session.rows(...given);
        },
      });
    }, turn);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'read') return read;
      const method = Reflect.get(target, name) as unknown;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** A place with one organisation, and who is in it. */
async function newFilled(engine: TestedStore): Promise<FilledHome> {
  const filled = await filledHome(engine);
  places.push(filled.place);
  return filled;
}

interface SmallBackup {
  readonly bytes: Buffer;
  /** What is in it, by table. */
  readonly rows: Awaited<ReturnType<typeof dump>>;
}

/** A backup of one organisation, made once. */
function backupOfOne(): Promise<SmallBackup> {
  wholeBackup ??= makeBackup();
  return wholeBackup;
}

let wholeBackup: Promise<SmallBackup> | undefined;
async function makeBackup(): Promise<SmallBackup> {
  const place = await embedded.place();
  const path = join(place.folder, 'backup');
  const rows = await withinLast(place, async (store, source) => {
    await fill(store);
    await backUp(source, path);
    return dump(store);
  });
  const bytes = readFileSync(path);
  await place.remove();
  return { bytes, rows };
}

describeOnEveryStore('a backup', (engine) => {
  test('A backup brings every row back as it was, signs everybody out, and a second one is the same file', async () => {
    const [{ place: from, id, ownerId }, to] = [await newFilled(engine), await newPlace(engine)];
    const { sessions, ...before } = await withinLast(from, async (store, source) => {
      await new Sessions(store, () => noon).begin(id, ownerId, 'password');
      await backUp(source, file('a'));
      return dump(store);
    });
    expect(sessions).toHaveLength(1);
    for (const { name } of backupTables) expect(before[name]).not.toEqual([]);
    const manifest = await restoreInto(to, file('a'));
    expect(manifest).toMatchObject({ plumbVersion: '1.2.3', createdAt: noon.toISOString() });
    await withinLast(to, async (store, source) => {
      expect(await dump(store)).toEqual({ ...before, sessions: [] });
      expect((await verify(store)).findings).toEqual([]);
      await backUp(source, file('b'));
    });
    expect(readFileSync(file('b')).equals(readFileSync(file('a')))).toBe(true);
  });

  test('A backup taken while someone writes is of one moment, and holds up nobody', async () => {
    const { place, id } = await newFilled(engine);
    const to = await newPlace(embedded);
    await withinLast(place, async (store, source) => {
      let writes = 0;
      let isDone = false;
      const writer = (async () => {
        while (!isDone) {
          await store.change(id, async (session) => {
            await putCursor(session, 'a', 'x', String(session.version), noon);
            await putCursor(session, 'z', 'x', String(session.version), noon);
          });
          writes += 1;
          await pause(2);
        }
      })();
      const fourWrites = async () => {
        const before = writes;
        await expect.poll(() => writes - before, { interval: 2 }).toBeGreaterThan(3);
      };
      await backUp({ ...source, store: heldUp(store, fourWrites) }, file('a'));
      isDone = true;
      await writer;
    });
    await restoreInto(to, file('a'));
    await withinLast(to, async (store) => {
      const { organisations, cursors } = await dump(store);
      const values = new Map(cursors?.map(({ source, value }) => [source, value]));
      const version = String(organisations?.[0]?.version);
      expect([values.get('a'), values.get('z')]).toEqual(values.has('a') ? [version, version] : [undefined, undefined]);
      expect((await verify(store)).findings).toEqual([]);
    });
  });

  test('A backup given up half way lets go of its snapshot, and a whole one is not restored over organisations that are there', async () => {
    const { place } = await newFilled(engine);
    const before = await within(place, async (store, source) => {
      // One more than there are connections to PostgreSQL.
      for (let i = 0; i < (engine === postgres ? 12 : 2); i += 1) {
        const stream = backup(source, { at: noon, plumbVersion: '1' });
        stream.on('error', () => {});
        for await (const _chunk of stream) break;
      }
      await expect.poll(() => store.read(async (session) => session.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
      await backUp(source, file('a'));
      return dump(store);
    });
    expect((await verifyBackup(file('a'))).findings).toEqual([]);
    await expect(restoreInto(place, file('a'))).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('here already'),
    });
    expect(await withinLast(place, dump)).toEqual(before);
  });

  test('A backup that is damaged is refused, and the place stays empty', async () => {
    const to = await newPlace(engine);
    const { bytes } = await backupOfOne();
    writeFileSync(file('a'), bytes);
    for (const cut of isLong ? [bytes.length - 1, bytes.length >> 1, bytes.length - 9] : [bytes.length - 1]) {
      writeFileSync(file('cut'), bytes.subarray(0, cut));
      await expect(restoreInto(to, file('cut'))).rejects.toMatchObject({ name: 'Refusal', reason: 'bad-input' });
    }
    if (to.databaseUrl === undefined) expect(readdirSync(to.folder)).toEqual(['folder.lock']);
    expect((await within(to, dump)).organisations).toEqual([]);
    await restoreInto(to, file('a'));
    expect((await withinLast(to, dump)).organisations).toHaveLength(1);
  });
});

describeWithPostgres('a backup between engines', () => {
  test('A backup between engines goes from the embedded store to PostgreSQL and back without a change, where two restores come at once, of which one is refused', async () => {
    const there = await newPlace(postgres);
    const { bytes, rows } = await backupOfOne();
    writeFileSync(file('a'), bytes);
    const beside = { ...(await newPlace(embedded)), databaseUrl: there.databaseUrl };
    const outcomes = await Promise.allSettled([restoreInto(there, file('a')), restoreInto(beside, file('a'))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await withinLast(there, async (store, source) => {
      expect(await dump(store)).toEqual(rows);
      await backUp(source, file('b'));
    });
    // The same file, so that it brings back the same in an embedded store.
    expect(readFileSync(file('b')).equals(bytes)).toBe(true);
  });
});

describe('a backup file', () => {
  let whole: Buffer;
  beforeAll(async () => {
    ({ bytes: whole } = await backupOfOne());
  });
  beforeEach(() => writeFileSync(file('whole'), whole));
  const problemOf = async (bytes: Uint8Array): Promise<string | undefined> => {
    writeFileSync(file('broken'), bytes);
    return (await verifyBackup(file('broken'))).findings[0]?.problem;
  };
  /** The archive with something else in it, packed again: checksums of gzip and tar are right then. */
  const rewritten = (change: (tar: string) => string) =>
    gzipSync(Buffer.from(change(gunzipSync(whole).toString('latin1')), 'latin1'));

  test('A backup file is an ordinary archive, its manifest first', () => {
    const names = execFileSync('tar', ['tzf', file('whole')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(names).toEqual(['manifest.json', ...backupTables.map(({ name }) => `store/${name}.ndjson`)]);
    const manifest = JSON.parse(execFileSync('tar', ['xzOf', file('whole'), 'manifest.json'], { encoding: 'utf8' }));
    const people = execFileSync('tar', ['xzOf', file('whole'), 'store/people.ndjson']);
    const entry = manifest.entries.find(({ name }: { name: string }) => name === 'store/people.ndjson');
    expect(entry).toEqual({
      name: 'store/people.ndjson',
      rows: 21,
      bytes: people.length,
      sha256: createHash('sha256').update(people).digest('hex'),
    });
  });

  test('A backup file is found whole when it is', async () => {
    expect(await problemOf(whole)).toBeUndefined();
    expect((await verifyBackup(file('whole'))).rows).toMatchObject({ organisations: 1, people: 21, api_keys: 1 });
  });

  test('A backup file cut anywhere is found', async () => {
    const cuts = times(20, 40);
    for (let i = 0; i < cuts; i += 1) {
      expect(await problemOf(whole.subarray(0, Math.floor((whole.length * i) / cuts)))).toMatch(
        /cut short|not a backup/,
      );
    }
    expect(await problemOf(whole.subarray(0, -1))).toMatch(/cut short/);
  });

  test('A backup file with a byte changed anywhere is found', async () => {
    let unused = 0;
    for (let at = 10; at < whole.length; at += Math.ceil(whole.length / times(30, 60))) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0x04;
      // A few bits of packed bytes mean nothing: they only fill up the last byte of a block.
      if (unpacksTheSame(bytes)) unused += 1;
      else expect(await problemOf(bytes), `byte ${at}`).toBeDefined();
    }
    expect(unused).toBeLessThan(3);
  });

  function unpacksTheSame(bytes: Buffer): boolean {
    try {
      return gunzipSync(bytes).equals(gunzipSync(whole));
    } catch {
      return false;
    }
  }

  test('A backup file with anything behind its end is found', async () => {
    expect(await problemOf(Buffer.concat([whole, Buffer.from('x')]))).toMatch(/damaged/);
    expect(await problemOf(Buffer.concat([whole, Buffer.alloc(512)]))).toMatch(/damaged/);
    expect(await problemOf(Buffer.concat([whole, whole]))).toMatch(/damaged/);
  });

  test('A backup file that is something else is called so', async () => {
    expect(await problemOf(Buffer.alloc(0))).toMatch(/not a backup/);
    expect(await problemOf(Buffer.from('hello'))).toMatch(/not a backup/);
    expect(await problemOf(gzipSync('hello'))).toMatch(/not a backup/);
    execFileSync('tar', ['czf', file('other.tgz'), '-C', folder.path, 'whole']);
    expect(await problemOf(readFileSync(file('other.tgz')))).toMatch(/not a backup/);
    await expect(verifyBackup(file('absent'))).rejects.toMatchObject({ reason: 'not-found' });
  });

  test('A backup file whose contents do not fit its manifest is refused even when it was packed with care', async () => {
    expect(await problemOf(rewritten((tar) => tar.replace('"p3@x.org"', '"p3@y.org"')))).toMatch(
      /checksum of store\/\w+\.ndjson does not match/,
    );
    expect(await problemOf(rewritten((tar) => tar.replace('"rows": 21', '"rows": 22')))).toMatch(
      /21 rows instead of 22/,
    );
  });

  test.each(['formatVersion', 'schemaVersion'])('A backup file whose %s is newer is refused by name', async (field) => {
    const [, version] = new RegExp(`"${field}": (\\d+)`).exec(gunzipSync(whole).toString('latin1')) ?? [];
    expect(Number(version)).toBeGreaterThan(0);
    const name = field.replace('Version', ' version');
    for (const other of [Number(version) + 1, 99, 0]) {
      const changed = await repacked(file('whole'), (entries) =>
        rewrite<object>(entries, 'manifest.json', (manifest) => ({ ...manifest, [field]: other })),
      );
      const problem = await problemOf(changed);
      expect(problem).toMatch(new RegExp(`${name} ${other}\\. .* up to ${version}\\. Use .* 1\\.2\\.3`));
    }
  });
});

describe('restoring into a folder', () => {
  let to: StoreHome;
  let whole: Buffer;
  beforeAll(async () => {
    ({ bytes: whole } = await backupOfOne());
  });
  beforeEach(async () => {
    to = await newPlace(embedded);
    writeFileSync(file('a'), whole);
  });

  test('Restoring into a folder is refused while someone owns the folder, replaces a store that has no organisation, and what a killed restore left behind, and leaves a store that goes on to count its commits', async () => {
    const owned = await DataFolder.claim(to.folder);
    await expect(restoreInto(to, file('a'))).rejects.toMatchObject({ reason: 'conflict' });
    owned.release();
    await within(to, async (store) => store.note((session) => session.run('DELETE FROM cursors')));
    mkdirSync(join(to.folder, '.restoring'));
    writeFileSync(join(to.folder, '.restoring', 'store.duckdb'), 'half');
    await restoreInto(to, file('a'));
    expect((await within(to, dump)).organisations).toHaveLength(1);
    expect(existsSync(join(to.folder, '.restoring'))).toBe(false);
    for (let i = 0; i < 3; i += 1) {
      const store = await openStore(to);
      await store.note((session) => session.run('DELETE FROM sign_ins'));
      await store.close();
    }
  });

  test('Restoring into a folder is refused where a store is that cannot be opened', async () => {
    writeFileSync(join(to.folder, 'store.duckdb'), 'rubbish');
    await expect(restoreInto(to, file('a'))).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('cannot be opened'),
    });
    expect(readFileSync(join(to.folder, 'store.duckdb'), 'utf8')).toBe('rubbish');
  });
});
