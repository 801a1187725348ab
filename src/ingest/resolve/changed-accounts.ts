import { factTables } from '../../catalogue/tables/tables.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import { keyPortions } from '../read/stored-rows.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { changedAccounts, rowsNaming } from './known-accounts.ts';
import { knownBots } from './known-bots.ts';
import { namingTables } from './person-naming.ts';
import type { Resolver } from './resolver.ts';

/** Stored rows of accounts that mean another person now than when the rows were written, a bounded number at a time. */
export async function* rowsOfChangedAccounts(
  session: IntakeSession,
  resolver: Resolver,
): AsyncGenerator<(batch: Batch) => Promise<unknown>> {
  const accounts = await changedAccounts(session, resolver, await knownBots(session));
  if (accounts.length === 0) return;
  for (const name of namingTables) {
    for (const where of await keyPortions(session, factTables[name], rowsNaming(name, accounts))) {
      yield (batch) => tableOf(batch, name).load(session, where);
    }
  }
}
