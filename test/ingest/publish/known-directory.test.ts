import { expect, test } from 'vitest';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { KnownDirectories } from '../../../src/ingest/publish/known-directory.ts';
import type { Store } from '../../../src/store/store.ts';
import { directoryOf, embedded, sharedStore, someOrganisation } from '../../conformance/stores.ts';

const store = sharedStore(embedded);

test('A directory is read again where another process has already shown a newer one', async () => {
  const { id } = await someOrganisation(store());
  const before = (await new KnownDirectories(store()).of(id)).version;
  // As in a process that has not yet heard of the change.
  const deaf = new Proxy(store(), {
    get: (target, name: keyof Store) =>
      name === 'versionOf' ? () => before : (target[name] as () => void).bind(target),
  });
  const directories = new KnownDirectories(deaf);
  expect((await directories.of(id)).version).toBe(before);
  await setOrganisation(
    directoryOf(store()),
    { organisationId: id, actor: { via: 'demo' } },
    { time_zone: 'Asia/Tokyo' },
  );
  expect((await directories.of(id)).version).toBe(before);
  const newer = await directories.of(id, before + 1);
  expect(newer.version).toBe(before + 1);
  expect(newer.zone.offsetAt(0)).toBe(9 * 3_600);
});
