import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockStore, openStoreWithTables, StoreInUse } from '../../src/store/open.ts';
import { tryLock } from '../../src/store/postgres/store-lock.ts';
import { describeWithPostgres, type FreshDatabase, freshDatabase } from '../setup/postgres.ts';
import { someOrganisation } from './some-organisation.ts';

describeWithPostgres('the lock on a PostgreSQL store', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  test('The lock on a PostgreSQL store is held by one, whatever the address calls the application, and is free once given back', async () => {
    const address = `${database.url}?application_name=something`;
    const first = await lockStore(address, { kind: 'serve' });
    expect(first.isHeld).toBe(true);
    const refused = await lockStore(address, { kind: 'command' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreInUse);
    expect((refused as StoreInUse).holder).toMatchObject({ kind: 'serve', pid: process.pid });
    await first.close();
    const second = await lockStore(address, { kind: 'command' });
    await second.close();
    expect(second.isHeld).toBe(false);
  });

  test('The lock on a PostgreSQL store is shared by those whose tables are the same, and by nobody else', async () => {
    const shared = { kind: 'serve', isShared: true } as const;
    const both = [await lockStore(database.url, shared), await lockStore(database.url, shared)];
    await expect(lockStore(database.url, { kind: 'command' })).rejects.toBeInstanceOf(StoreInUse);
    await Promise.all(both.map((lock) => lock.close()));
    const alone = await lockStore(database.url, { kind: 'serve' });
    await expect(lockStore(database.url, { ...shared, kind: 'command' })).rejects.toBeInstanceOf(StoreInUse);
    await alone.close();
  });

  test('A command that holds it is waited for', async () => {
    const first = await lockStore(database.url, { kind: 'command' });
    const second = lockStore(database.url, { kind: 'serve' });
    setTimeout(() => void first.close(), 3_000);
    await (await second).close();
  });

  test('The lock on a PostgreSQL store is taken where it is given back between the attempt and the look at who holds it', async () => {
    const first = await lockStore(database.url, { kind: 'command' });
    const { query } = pg.Client.prototype;
    let attempts = 0;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const answer = await Reflect.apply(query, this, given);
      // A server that cannot be named would be waited for only this long.
      if (String(given[0]).includes('pg_try_advisory_lock') && ++attempts === 10) await first.close();
      return answer;
    } as typeof query);
    try {
      const second = await lockStore(database.url, { kind: 'serve' });
      expect(second.isHeld).toBe(true);
      await second.close();
    } finally {
      spy.mockRestore();
    }
  });

  test('The lock on a PostgreSQL store is not held by a process that was asleep until PostgreSQL has said so again', async () => {
    let now = 0;
    const lock = await lockStore(database.url, { kind: 'serve', now: () => now });
    now = 6_000;
    expect(lock.isHeld).toBe(true);
    now = 60_000;
    expect(lock.isHeld).toBe(false);
    await expect.poll(() => lock.isHeld).toBe(true);
    await lock.close();
  });

  test('The lock on a PostgreSQL store cannot be taken twice on one connection, as two processes behind a shared pool would', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    expect([await tryLock(client), await tryLock(client)]).toEqual([expect.any(Number), undefined]);
    await client.end();
  });

  test('A store without it reads nothing, writes nothing and knows no version; what is under way is not committed', async () => {
    let now = 0;
    const store = await openStoreWithTables(
      { folder: '', databaseUrl: database.url },
      { kind: 'serve', now: () => now },
    );
    const away = { name: 'Refusal', reason: 'unavailable' };
    const { id } = await someOrganisation(store);
    expect(store.versionOf(id)).toBe(1);
    const cut = store.change(id, async (session) => {
      await session.run("UPDATE organisations SET name = 'Other'");
      now = 60_000;
    });
    await expect(cut).rejects.toMatchObject(away);
    expect(store.versionOf(id)).toBeUndefined();
    await expect(store.read(async () => 0)).rejects.toMatchObject(away);
    await expect(store.note(async () => {})).rejects.toMatchObject(away);
    await expect.poll(() => store.versionOf(id)).toBe(1);
    const names = await store.read((session) => session.rows('SELECT name FROM organisations'));
    expect(names).toEqual([{ name: 'Example' }]);
    await store.close();
  });
});
