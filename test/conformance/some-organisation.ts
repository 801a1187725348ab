import type { Directory } from '../../src/directory/directory.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import type { Store } from '../../src/store/store.ts';

export const noon = new Date('2024-05-01T12:00:00.000Z');

export const directoryOf = (store: Store, now: () => Date = () => noon): Directory => ({ store, now });

/** A new organisation with one Owner, owner@example.com. */
export async function someOrganisation(store: Store): Promise<{ readonly id: string; readonly ownerId: string }> {
  return createOrganisation(directoryOf(store), { via: 'demo' }, { name: 'Example', ownerEmail: 'owner@example.com' });
}
