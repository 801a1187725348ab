import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import { describeOnEveryStore, sharedStore, someOrganisation } from './stores.ts';

describeOnEveryStore('a statement that is asked again', (engine) => {
  const store = sharedStore(engine);

  test('A statement that is asked again answers with the rows of now, not with the plan of before there were any', async () => {
    for (let reader = 0; reader < 8; reader += 1) expect(await store().read(listOrganisations)).toEqual([]);
    const ids: string[] = [];
    for (let i = 0; i < 6; i += 1) ids.push((await someOrganisation(store())).id);
    const listed = await store().read(listOrganisations);
    expect(listed.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(
      listed.every(({ name, incident_window_days }) => name.startsWith('Example') && incident_window_days === 7),
    ).toBe(true);
  });

  test('A statement that is asked again is stopped when it takes longer than it may, and the next one is answered', async () => {
    const place = await engine.place();
    const hasty = await openStore({ ...place, limits: { statementSeconds: 1 } });
    const forever = `SELECT count(*) AS n FROM generate_series(1, 300000) a(x), generate_series(1, 300000) b(y) WHERE a.x * b.y % 7 = 3`;
    const began = performance.now();
    await expect(hasty.read((session) => session.rows(forever))).rejects.toMatchObject({ reason: 'too-slow' });
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(await hasty.read((session) => session.rows('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await hasty.close();
    await place.remove();
  });
});
