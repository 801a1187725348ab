import { afterEach, beforeEach } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import type { LeaseTerms } from '../../src/store/postgres/writer-turns.ts';
import type { Store } from '../../src/store/store.ts';
import { type FreshDatabase, storeDatabase } from '../setup/postgres.ts';

export const short: LeaseTerms = { leaseMs: 1_500, renewMs: 200, retryMs: 20, patienceMs: 10_000, answerMs: 5_000 };
/** As a process that was stopped: its lease runs out. */
export const stalled: LeaseTerms = { ...short, renewMs: 3_600_000 };

/** Each test's own database, with as many stores over it as it opens: leases there are short. */
export function leasedStores() {
  let database: FreshDatabase;
  let opened: Store[];
  beforeEach(async () => {
    database = await storeDatabase();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await database.drop();
  });

  const closeAfterwards = (store: Store) => {
    opened.push(store);
  };
  async function open(lease: LeaseTerms = short): Promise<Store> {
    const store = await openPostgresStore(database.url, {}, { lease });
    closeAfterwards(store);
    return store;
  }
  return { open, closeAfterwards, url: () => database.url };
}
