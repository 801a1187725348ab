import { expect, test } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { backupTables } from '../../src/store/all-store-tables.ts';
import { removeOrganisation } from '../../src/store/organisation-rows.ts';
import { dump, fill } from '../safety/filled-store.ts';
import { describeOnEveryStore, directoryOf, sharedStore, someOrganisation } from './stores.ts';

type Rows = Readonly<Record<string, unknown>>[];
const of = (id: string, tables: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      (rows as Rows).filter((row) => (row.organisation_id ?? row.id) === id),
    ]),
  );

describeOnEveryStore('an organisation that is removed', (engine) => {
  const store = sharedStore(engine);

  test('An organisation that is removed leaves nothing in any table, and everything of others', async () => {
    const [mine, others] = [await fill(store()), await fill(store(), 5)];
    const before = await dump(store());
    const filled = Object.values(of(mine.id, before)).filter((rows) => rows.length > 0);
    expect(filled.length).toBeGreaterThanOrEqual(backupTables.length);
    const version = store().versionOf(mine.id) ?? 0;
    await store().change(mine.id, removeOrganisation);
    const after = await dump(store());
    expect(Object.values(of(mine.id, after)).flat()).toEqual([]);
    expect(of(others.id, after)).toEqual(of(others.id, before));
    // What is kept of it anywhere is out of date.
    expect(store().versionOf(mine.id) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(version);
  });

  if (engine.name === 'embedded') {
    test('An organisation that is removed is not older than before when it is made again', async () => {
      const { id } = await someOrganisation(store());
      const version = store().versionOf(id) ?? 0;
      await store().change(id, removeOrganisation);
      const again = { id, name: 'Again', ownerEmail: 'a@x.org' };
      await createOrganisation(directoryOf(store()), { via: 'demo' }, again);
      expect(store().versionOf(id)).toBeGreaterThan(version + 1);
    });
  } else {
    test('An organisation that is removed is forgotten where nobody heard of its end', async () => {
      const { id } = await someOrganisation(store());
      expect(store().versionOf(id)).toBeDefined();
      await store().note((session) => session.run('DELETE FROM organisations WHERE id = $1', [id]));
      await expect.poll(() => store().versionOf(id)).toBeUndefined();
    });
  }
});
