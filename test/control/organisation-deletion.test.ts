import { expect, test } from 'vitest';
import { deleteOrganisation } from '../../src/control/organisation-deletion.ts';
import { Refusal } from '../../src/refusal.ts';
import { findOrganisation } from '../../src/store/organisation-rows.ts';
import { embedded, sharedStore, someOrganisation } from '../conformance/stores.ts';

const store = sharedStore(embedded);

test('Where the tables cannot be removed, it is said how to remove them later, without the name that is gone', async () => {
  const { id } = await someOrganisation(store());
  const warehouse = {
    holds: () => true,
    organisations: async () => [id],
    remove: () => Promise.reject(new Refusal('unavailable', 'They are away.', { retryAfterSeconds: 2 })),
  };
  const parts = { directory: { store: store() } as never, tables: () => ({ warehouse }) };
  await expect(deleteOrganisation(parts, id)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringMatching(
      new RegExp(`^They are away\\. .*plumb org delete ${id} --confirm ${id} --no-backup`),
    ),
    hints: { retryAfterSeconds: 2 },
  });
  expect(await store().read((session) => findOrganisation(session, id))).toBeUndefined();
});
