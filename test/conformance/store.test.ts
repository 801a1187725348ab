import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { audit, auditEntries } from '../../src/store/audit.ts';
import { findCursor, putCursor } from '../../src/store/cursors.ts';
import { openStore } from '../../src/store/open.ts';
import { findOrganisation, versionIn } from '../../src/store/organisation-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { times } from '../setup/how-long.ts';
import { describeOnEveryStore, noon, sharedStore, someOrganisation } from './stores.ts';

class Mishap extends Error {}

const countUp = (store: Store, organisationId: string) =>
  store.change(organisationId, async (session) => {
    const count = Number((await findCursor(session, organisationId, 'counter', 'all')) ?? 0) + 1;
    await putCursor(session, 'counter', 'all', String(count), noon);
    return { count, version: session.version };
  });
const counted = (store: Store, organisationId: string) =>
  store.read((session) => findCursor(session, organisationId, 'counter', 'all'));

describeOnEveryStore('a store', (engine) => {
  const store = sharedStore(engine);

  test('A reader does not see what is committed while it reads', async () => {
    const { id } = await someOrganisation(store());
    await countUp(store(), id);
    const seen = await store().read(async (session) => {
      const before = await findCursor(session, id, 'counter', 'all');
      await countUp(store(), id);
      const after = await findCursor(session, id, 'counter', 'all');
      return { before, after, version: await versionIn(session, id) };
    });
    expect(seen).toEqual({ before: '1', after: '1', version: 2 });
    expect(await counted(store(), id)).toBe('2');
  });

  test('A reader sees one state across several tables', async () => {
    const { id } = await someOrganisation(store());
    const states = await Promise.all([
      ...Array.from({ length: 20 }, () => countUp(store(), id)),
      ...Array.from({ length: 20 }, () =>
        store().read(async (session) => {
          const version = await versionIn(session, id);
          return { version, count: Number((await findCursor(session, id, 'counter', 'all')) ?? 0) };
        }),
      ),
    ]);
    for (const { version, count } of states) expect(version - count).toBe(1);
  });

  test('A change that throws leaves nothing behind, and the next one is as if it had never been', async () => {
    const { id } = await someOrganisation(store());
    await countUp(store(), id);
    const failed = store().change(id, async (session) => {
      await putCursor(session, 'counter', 'all', '99', noon);
      await putCursor(session, 'other', 'all', '99', noon);
      throw new Mishap();
    });
    await expect(failed).rejects.toBeInstanceOf(Mishap);
    expect(await counted(store(), id)).toBe('1');
    expect(await store().read((session) => findCursor(session, id, 'other', 'all'))).toBeUndefined();
    expect(await countUp(store(), id)).toEqual({ count: 2, version: 3 });
  });

  test('A statement that the engine refuses rolls the change back, and the store works on', async () => {
    const { id } = await someOrganisation(store());
    const failed = store().change(id, async (session) => {
      await putCursor(session, 'counter', 'all', '7', noon);
      await session.run('INSERT INTO cursors (organisation_id, source, stream) VALUES ($1, $2, $3)', [id, 'x', 'y']);
    });
    await expect(failed).rejects.toThrow();
    expect(await counted(store(), id)).toBeUndefined();
    expect(await countUp(store(), id)).toEqual({ count: 1, version: 2 });
  });

  test('A failed read gives its connection back', async () => {
    const { id } = await someOrganisation(store());
    const failures = Array.from({ length: 30 }, () =>
      store().read(async () => {
        throw new Mishap();
      }),
    );
    for (const outcome of await Promise.allSettled(failures)) expect(outcome.status).toBe('rejected');
    expect(await counted(store(), id)).toBeUndefined();
  });

  test('Each change raises the version of its organisation by one, and says which it makes', async () => {
    const { id } = await someOrganisation(store());
    const other = await someOrganisation(store());
    expect(store().versionOf(id)).toBe(1);
    expect((await countUp(store(), id)).version).toBe(2);
    expect((await countUp(store(), id)).version).toBe(3);
    expect(store().versionOf(id)).toBe(3);
    expect(await store().read((session) => versionIn(session, id))).toBe(3);
    expect(store().versionOf(other.id)).toBe(1);
    expect(store().versionOf(randomUUID())).toBeUndefined();
  });

  test('Many changes of one organisation at once run one after another', async () => {
    const { id } = await someOrganisation(store());
    const many = times(20, 200);
    const made = await Promise.all(Array.from({ length: many }, () => countUp(store(), id)));
    expect(await counted(store(), id)).toBe(String(many));
    expect(new Set(made.map(({ version }) => version)).size).toBe(many);
    expect(store().versionOf(id)).toBe(many + 1);
  });

  test('Changes of two organisations at once are kept apart', async () => {
    const [a, b] = await Promise.all([someOrganisation(store()), someOrganisation(store())]);
    await Promise.all(Array.from({ length: 40 }, (_, i) => countUp(store(), i % 4 === 0 ? a.id : b.id)));
    expect([await counted(store(), a.id), await counted(store(), b.id)]).toEqual(['10', '30']);
    expect([store().versionOf(a.id), store().versionOf(b.id)]).toEqual([11, 31]);
  });

  test('A store of two who make the same organisation at once, one does', async () => {
    const id = randomUUID();
    const make = (name: string) =>
      store().change(id, async (session) => {
        if (await findOrganisation(session, id)) return 'found';
        await session.run(
          `INSERT INTO organisations (id, name, time_zone, team_restrictions, salary_visibility, benchmark_opt_out,
             incident_window_days, survey_minimum_group, version, created_at)
           VALUES ($1, $2, 'UTC', false, false, false, 7, 5, 0, $3::timestamptz)`,
          [id, name, noon],
        );
        return 'made';
      });
    expect((await Promise.all([make('a'), make('b')])).sort()).toEqual(['found', 'made']);
  });

  test('A note is kept, all or nothing, and raises no version', async () => {
    const { id } = await someOrganisation(store());
    await countUp(store(), id);
    const write = 'UPDATE cursors SET value = $2 WHERE organisation_id = $1';
    await store().note((session) => session.run(write, [id, '5']));
    expect(await counted(store(), id)).toBe('5');
    const failed = store().note(async (session) => {
      await session.run(write, [id, '6']);
      throw new Mishap();
    });
    await expect(failed).rejects.toBeInstanceOf(Mishap);
    expect(await counted(store(), id)).toBe('5');
    expect(store().versionOf(id)).toBe(2);
    expect(await store().read((session) => versionIn(session, id))).toBe(2);
  });

  test('What a change writes, it reads', async () => {
    const { id } = await someOrganisation(store());
    const read = await store().change(id, async (session) => {
      await putCursor(session, 'github', 'issues', 'a', noon);
      await putCursor(session, 'github', 'issues', 'b', noon);
      return findCursor(session, id, 'github', 'issues');
    });
    expect(read).toBe('b');
  });

  test('A cursor belongs to one stream of one source of one organisation', async () => {
    const [a, b] = [await someOrganisation(store()), await someOrganisation(store())];
    await store().change(a.id, async (session) => {
      await putCursor(session, 'github', 'issues', '1', noon);
      await putCursor(session, 'github', 'pulls', '2', noon);
      await putCursor(session, 'gitlab', 'issues', '3', noon);
    });
    const find = (id: string, source: string, stream: string) =>
      store().read((session) => findCursor(session, id, source, stream));
    expect(await find(a.id, 'github', 'issues')).toBe('1');
    expect(await find(a.id, 'github', 'pulls')).toBe('2');
    expect(await find(a.id, 'gitlab', 'issues')).toBe('3');
    expect(await find(b.id, 'github', 'issues')).toBeUndefined();
  });

  test('The audit log says who did what, when, and in which change', async () => {
    const { id, ownerId } = await someOrganisation(store());
    const at = new Date('2024-05-01T12:00:00.123Z');
    await store().change(id, async (session) => {
      await audit(session, { via: 'api', personId: ownerId, keyId: 'k' }, at, [
        { action: 'person.onboard', subject: 'p1' },
        { action: 'person.onboard', subject: 'p2', details: { note: 'Zoë "Z"' } },
      ]);
      await audit(session, { via: 'command', user: 'root' }, at, [{ action: 'key.create', subject: 'k2' }]);
    });
    const entries = await store().read((session) => auditEntries(session, id, 3));
    expect(
      entries.map(({ version, entry, subject, via, actor, key_id }) => [version, entry, subject, via, actor, key_id]),
    ).toEqual([
      [2, 2, 'k2', 'command', 'root', null],
      [2, 1, 'p2', 'api', ownerId, 'k'],
      [2, 0, 'p1', 'api', ownerId, 'k'],
    ]);
    expect(entries[1]?.happened_at).toEqual(at);
    expect(JSON.parse(entries[1]?.details ?? '')).toEqual({ note: 'Zoë "Z"' });
    expect(entries[2]?.details).toBeNull();
  });

  test('A closed store is reopened with everything in it, versions included', async () => {
    const place = await engine.place();
    try {
      const first = await openStore(place);
      const { id } = await someOrganisation(first);
      await countUp(first, id);
      await first.close();
      const second = await openStore(place);
      expect(second.versionOf(id)).toBe(2);
      expect(await counted(second, id)).toBe('1');
      await second.close();
    } finally {
      await place.remove();
    }
  });
});
