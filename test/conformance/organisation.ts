import { expect } from 'vitest';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { Listings } from '../../src/directory/listings.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { findPerson } from '../../src/directory/people.ts';
import { putRecords, type RecordOptions, type RecordsOutcome } from '../../src/directory/put-records.ts';
import { storeTables } from '../../src/store/all-store-tables.ts';
import type { Store } from '../../src/store/store.ts';
import { directoryOf, someOrganisation } from './stores.ts';

const actor = { via: 'demo' } as const;
export type RecordValue = Readonly<Record<string, unknown>>;

/** One organisation of its own, and short words for what the tests do to it. */
export async function organisation(store: Store) {
  const { id, ownerId } = await someOrganisation(store);
  const directory = directoryOf(store);
  const context = { organisationId: id, actor };
  return {
    id,
    ownerId,
    directory,
    context,
    put: (table: DirectoryTable, values: readonly RecordValue[], options?: RecordOptions): Promise<RecordsOutcome> =>
      putRecords(
        directory,
        context,
        table,
        values.map((value, i) => ({ line: i + 1, value })),
        options,
      ),
    person: (who: string) => store.read(async (session) => (await findPerson(session, id, who)).effective),
    merge: (keep: string, absorb: string) => mergePeople(directory, context, keep, absorb),
    unmerge: (who: string) => unmergePerson(directory, context, who),
    listing: async () => {
      const listings = new Listings(store);
      return { teams: await listings.teams(id), users: await listings.onboardedUsers(id) };
    },
    /** Everything about the organisation but its audit log and version. */
    state: () =>
      store.read(async (session) => {
        const tables: Record<string, unknown[]> = {};
        for (const { name, key } of storeTables) {
          if (['organisations', 'audit_log', 'merges'].includes(name)) continue;
          tables[name] = await session.rows(
            `SELECT * FROM ${name} WHERE organisation_id = $1 ORDER BY ${key.join(', ')}`,
            [id],
          );
        }
        return tables;
      }),
    auditedActions: () =>
      store.read(async (session) => {
        const rows = await session.rows<{ action: string }>(
          'SELECT action FROM audit_log WHERE organisation_id = $1 ORDER BY version, entry',
          [id],
        );
        return rows.map(({ action }) => action).slice(2);
      }),
  };
}

export const accepted = (count: number) => ({ accepted: count, rejected: [] });
export const refused = (detail: string | RegExp, line = 1) => ({
  accepted: 0,
  rejected: [{ line, detail: expect.stringMatching(detail) }],
});
