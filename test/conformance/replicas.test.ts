import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { ApiKeys } from '../../src/access/api-keys.ts';
import { Authentication } from '../../src/access/authentication.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { soon } from '../setup/how-long.ts';
import { describeWithPostgres } from '../setup/postgres.ts';
import { noon, postgres, type StoreHome, someOrganisation } from './stores.ts';

describeWithPostgres('two replicas on one PostgreSQL', () => {
  let place: StoreHome;
  let one: Store;
  let two: Store;
  beforeEach(async () => {
    place = await postgres.place();
    [one, two] = await Promise.all([openStore(place), openStore(place)]);
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    await place.remove();
  });

  const raise = (store: Store, id: string) =>
    store.change(id, (session) => putCursor(session, 's', 't', String(session.version), noon));

  /** As an administrator, on another database of the same server. */
  async function onServer(statement: (name: string) => string): Promise<void> {
    const client = new pg.Client({ connectionString: inject('postgresUrl') ?? '' });
    await client.connect();
    await client.query(statement(new URL(place.databaseUrl ?? '').pathname.slice(1)));
    await client.end();
  }

  test('What one changes, the other knows within a second', async () => {
    const { id } = await someOrganisation(one);
    await expect.poll(() => two.versionOf(id), soon).toBe(1);
    for (let version = 2; version <= 6; version += 1) {
      await raise(one, id);
      await expect.poll(() => two.versionOf(id), soon).toBe(version);
    }
  });

  test('Everyone who watches hears of what the other has changed', async () => {
    const { id } = await someOrganisation(one);
    const heard: string[] = [];
    two.watch((organisationId) => heard.push(`first ${organisationId}`));
    two.watch((organisationId) => heard.push(`second ${organisationId}`));
    await raise(one, id);
    await expect.poll(() => heard, soon).toEqual(expect.arrayContaining([`first ${id}`, `second ${id}`]));
  });

  test('Changes of one organisation from both are serialised', async () => {
    const { id } = await someOrganisation(one);
    await Promise.all(Array.from({ length: 60 }, (_, i) => raise(i % 2 ? one : two, id)));
    await expect.poll(() => [one.versionOf(id), two.versionOf(id)], soon).toEqual([61, 61]);
  });

  test('A key revoked on one stops working on the other within a second', async () => {
    const { id, ownerId } = await someOrganisation(one);
    const keys = new ApiKeys(one, () => noon);
    const there = new Authentication(two, () => noon);
    const { id: keyId, key } = await keys.create(id, { via: 'demo' }, { creatorId: ownerId, name: 'k' });
    expect((await there.authenticate(key)).keyId).toBe(keyId);
    await keys.revoke(id, { via: 'demo' }, keyId);
    const isRefused = () =>
      there.authenticate(key).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused, soon).toBe(true);
  });

  test('Two replicas on one PostgreSQL without the database a replica admits that it does not know, then learns again', async () => {
    const { id } = await someOrganisation(one);
    await expect.poll(() => two.versionOf(id), soon).toBe(1);
    await onServer((name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await onServer((name) => `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await expect.poll(() => two.versionOf(id), soon).toBeUndefined();
    await expect(two.read(async () => 0)).rejects.toThrow();
    await onServer((name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expect.poll(() => two.versionOf(id)).toBe(1);
    await raise(one, id);
    await expect.poll(() => two.versionOf(id), soon).toBe(2);
  });

  test('A connection cut in the middle of a change keeps nothing, and says to ask again', async () => {
    const { id } = await someOrganisation(one);
    const cut = one.change(id, async (session) => {
      await putCursor(session, 's', 't', 'half', noon);
      await onServer((name) => `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      await putCursor(session, 's', 'u', 'half', noon);
    });
    await expect(cut).rejects.toMatchObject({ name: 'Refusal', reason: 'unavailable' });
    const rows = await one.read((session) => session.rows('SELECT 1 AS one FROM cursors'));
    expect(rows).toEqual([]);
  });
});
