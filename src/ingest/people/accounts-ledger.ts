import { type AccountRow, accounts } from '../../catalogue/ledgers/ledgers.ts';
import type { Table, Value } from '../../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../../catalogue/tables/tables.ts';
import { compareTexts } from '../../text-order.ts';
import type { Writing } from '../../warehouse/warehouse.ts';
import { draftOf, type Workspace } from '../workspace.ts';
import { namedBy } from './named.ts';
import { accountId, anyCodeHost, type Named, type Resolver } from './resolver.ts';

/** Tables whose rows name a person themselves. */
export const tablesOfPeople: readonly FactTable[] = factTableNames.filter(
  (name) => 'person_login' in (factTables[name] as Table).columns,
);

/** Writes down every way in which a batch names people that is new, so that a later change of the directory finds it. */
export async function noteAccounts({ session, drafts, resolver, bots }: Workspace): Promise<void> {
  const found = new Map<string, { readonly named: Named; name: string | null }>();
  for (const table of tablesOfPeople) {
    for (const { after, part } of draftOf(drafts, table).entries.values()) {
      if (!after || (part && !part.includes('person_login'))) continue;
      const named = namedBy(after);
      if (named.linked === null && named.login === null && named.email === null) continue;
      const id = accountId(named);
      const known = found.get(id);
      const name = first(known?.name ?? null, after.person_name ?? null);
      if (known) known.name = name;
      else found.set(id, { named, name });
    }
  }
  if (found.size === 0) return;
  const kept = await session.select(accounts, accountColumns, { column: 'account_id', in: [...found.keys()] });
  const known = new Map(kept.map((row) => [row.account_id, row]));
  const changed: AccountRow[] = [];
  for (const [id, { named, name }] of found) {
    const before = known.get(id);
    const row = accountRow(id, named, first(before?.name ?? null, name), resolver, bots);
    if (!before || before.name !== row.name) changed.push(row);
  }
  await session.put(accounts, changed);
}

/** Of several names the first by code point, so that the order of records does not matter. */
const first = (a: string | null, b: Value): string | null => {
  if (typeof b !== 'string' || b.trim() === '') return a;
  return a === null || compareTexts(b, a) < 0 ? b : a;
};

const accountColumns = [
  'account_id',
  'linked_id',
  'source',
  'login',
  'email',
  'says_bot',
  'name',
  'merged_user_id',
  'is_bot',
] as const;

function accountRow(
  id: string,
  named: Named,
  name: string | null,
  resolver: Resolver,
  bots: ReadonlySet<string>,
): AccountRow {
  const { linked, source, login, email, saysBot } = named;
  const { merged_user_id, is_bot } = resolver.resolve(named, bots);
  return { account_id: id, linked_id: linked, source, login, email, says_bot: saysBot, name, merged_user_id, is_bot };
}

/** Accounts that mean somebody else now than when their rows were written; the ledger is brought up to date. */
export async function changedAccounts(
  session: Writing,
  resolver: Resolver,
  bots: ReadonlySet<string>,
): Promise<Named[]> {
  const rows = await session.select(accounts, accountColumns);
  const changed: AccountRow[] = [];
  const named: Named[] = [];
  for (const row of rows) {
    const { account_id, linked_id, source, login, email, says_bot, name } = row;
    const account: Named = { linked: linked_id, source, login, email, saysBot: says_bot };
    const now = accountRow(account_id ?? '', account, name, resolver, bots);
    if (now.merged_user_id === row.merged_user_id && now.is_bot === row.is_bot) continue;
    changed.push(now);
    named.push(account);
  }
  await session.put(accounts, changed);
  return named;
}

/** The columns of a table that name an account, and these accounts as their values. */
export function rowsNaming(table: FactTable, named: readonly Named[]): { columns: string[]; among: Value[][] } {
  const isSession = table === 'posthook_sessions';
  const email = isSession ? 'engineer_email' : 'person_email';
  return {
    columns: ['given_merged_user_id', 'source', 'person_login', email, 'person_is_bot'],
    among: named.map(({ linked, source, login, email: address, saysBot }): Value[] => [
      linked,
      isSession && source === anyCodeHost ? null : source,
      login,
      address,
      saysBot,
    ]),
  };
}
