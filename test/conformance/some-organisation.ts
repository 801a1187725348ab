import { randomUUID } from 'node:crypto';
import type { Directory } from '../../src/directory/directory.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { listOrganisations } from '../../src/store/organisation-rows.ts';
import type { Store } from '../../src/store/store.ts';

export const noon = new Date('2024-05-01T12:00:00.000Z');

export const directoryOf = (store: Store, now: () => Date = () => noon): Directory => ({ store, now });

/** A new organisation with one Owner, owner@example.com. It is called Example, where nobody is yet. */
export async function someOrganisation(store: Store): Promise<{ readonly id: string; readonly ownerId: string }> {
  const taken = (await store.read(listOrganisations)).length;
  const name = taken === 0 ? 'Example' : `Example ${randomUUID()}`;
  return createOrganisation(directoryOf(store), { via: 'demo' }, { name, ownerEmail: 'owner@example.com' });
}
