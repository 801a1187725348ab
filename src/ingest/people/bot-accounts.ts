import { botAccounts } from '../../catalogue/ledgers/ledgers.ts';
import type { Row, Table } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/tables.ts';
import type { Condition, Reading, Writing } from '../../warehouse/warehouse.ts';
import { draftOf, type Workspace } from '../workspace.ts';
import { tablesOfPeople } from './accounts-ledger.ts';
import { namedBy } from './named.ts';
import type { Resolver } from './resolver.ts';

/** Accounts that some row calls a bot. There are some hundreds of them at most, so all are read. */
export async function knownBots(session: Reading): Promise<ReadonlySet<string>> {
  const rows = await session.select(botAccounts, ['account']);
  return new Set(rows.flatMap(({ account }) => account ?? []));
}

/**
 * Brings the ledger of bots up to what the rows of a batch say, which are written already. Returns whether anything has
 * changed: other rows of the same accounts are then somebody else’s than they say.
 */
export async function noteBots({ session, drafts, resolver, bots }: Workspace): Promise<boolean> {
  const said = new Set<string>();
  const doubtful = new Set<string>();
  for (const table of tablesOfPeople) {
    for (const { before, after } of draftOf(drafts, table).entries.values()) {
      if (before?.person_is_bot !== true && after?.person_is_bot !== true) continue;
      const [was, is] = [calledBot(before, resolver), calledBot(after, resolver)];
      if (is !== null) said.add(is);
      if (was !== null && was !== is) doubtful.add(was);
    }
  }
  const marked = [...said].filter((account) => !bots.has(account));
  const left = [...doubtful].some((account) => !said.has(account)) ? await saidBots(session, resolver) : undefined;
  const gone = left ? [...doubtful].filter((account) => !left.has(account) && bots.has(account)) : [];
  await session.put(
    botAccounts,
    marked.map((account) => ({ account })),
  );
  if (gone.length > 0) await session.remove(botAccounts, { column: 'account', in: gone });
  return marked.length > 0 || gone.length > 0;
}

/** The ledger of bots anew, from all rows. */
export async function gatherBots(session: Writing, resolver: Resolver): Promise<void> {
  const said = await saidBots(session, resolver);
  await session.remove(botAccounts, { all: [] });
  await session.put(
    botAccounts,
    [...said].map((account) => ({ account })),
  );
}

/** The account of a row that calls it a bot. What is made of other rows only says after them. */
function calledBot(row: Row | undefined, resolver: Resolver): string | null {
  if (row?.person_is_bot !== true || (row.origin ?? 'stated') !== 'stated') return null;
  return resolver.accountOf(namedBy(row));
}

async function saidBots(session: Reading, resolver: Resolver): Promise<Set<string>> {
  const said = new Set<string>();
  for (const name of tablesOfPeople) {
    const table: Table = factTables[name];
    const email = 'person_email' in table.columns ? 'person_email' : 'engineer_email';
    const where: Condition[] = [{ column: 'person_is_bot', in: [true] }];
    if ('origin' in table.columns) where.push({ column: 'origin', in: ['stated'] });
    const columns = ['given_merged_user_id', 'source', 'person_login', email, 'person_is_bot'];
    for (const row of (await session.tally(table, columns as never, { all: where })) as unknown as Row[]) {
      const account = calledBot(row, resolver);
      if (account !== null) said.add(account);
    }
  }
  return said;
}
