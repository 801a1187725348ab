import { type AccountRow, accounts } from '../../catalogue/derivation-state.ts';
import type { Row, Table, Value } from '../../catalogue/table.ts';
import { type FactTable, factTables } from '../../catalogue/tables/all-tables.ts';
import { compareTexts } from '../../text-comparison.ts';
import type { Condition } from '../../warehouse/intake-port.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import { type Batch, tableOf } from '../apply/batch.ts';
import { keyPortions } from '../read/stored-rows.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import {
  accountId,
  anyCodeHost,
  knownBots,
  type NamedPerson,
  namedPerson,
  namingColumns,
  namingTables,
  type Resolver,
  wayOfNaming,
} from './resolver.ts';

/** The statements of a batch about one way of naming a person. */
interface Naming {
  readonly named: NamedPerson;
  name: string | null;
  /** Records that name the person so now, less those that did before. */
  records: number;
}

/**
 * Writes down every way in which a batch names people that is new, so that a later change of the directory finds it, and
 * how many records name them so.
 */
export async function noteAccounts({ session, tables, resolver, bots, changedVotes }: Batch): Promise<void> {
  const byWay = new Map<string, Naming>();
  const naming = (named: NamedPerson): Naming => {
    const way = wayOfNaming(named);
    const known = byWay.get(way);
    if (known) return known;
    const added: Naming = { named, name: null, records: 0 };
    byWay.set(way, added);
    return added;
  };
  for (const name of namingTables) {
    const table: Table = factTables[name];
    const differs = rowComparison([...namingColumns(table), ...(table.recorded ? [table.recorded.column] : [])]);
    for (const { before, after, part } of tableOf({ tables }, name).entries.values()) {
      if (part && !part.includes('person_login')) continue;
      const isOther = !before || !after || differs(before, after);
      const was = isOther && before && personNamedBy(table, before);
      if (was) naming(was).records -= 1;
      const is = after && personNamedBy(table, after);
      if (!is) continue;
      const now = naming(is);
      now.name = first(now.name, after.person_name ?? null);
      if (isOther) now.records += 1;
    }
  }
  if (byWay.size === 0) return;
  const found = new Map([...byWay.values()].map((one) => [accountId(one.named), one]));
  const kept = await session.select(accounts, accountColumns, { column: 'account_id', in: [...found.keys()] });
  const known = new Map(kept.map((row) => [row.account_id, row]));
  const changed: AccountRow[] = [];
  for (const [id, { named, name, records }] of found) {
    const before = known.get(id);
    const count = before?.records === null ? null : Math.max(0, (before?.records ?? 0) + records);
    const row = accountRow(id, named, first(before?.name ?? null, name), count, resolver, bots);
    if (!before || before.name !== row.name || before.records !== row.records) changed.push(row);
    if (records !== 0 && named.saysBot !== null && row.account !== null) changedVotes.add(row.account);
  }
  await session.put(accounts, changed);
}

/** The person whom a row names, if any. An inferred row only repeats the row that it is inferred from. */
function personNamedBy(table: Table, row: Row): NamedPerson | undefined {
  const { recorded } = table;
  if (recorded && (row[recorded.column] ?? recorded.value) !== recorded.value) return undefined;
  const named = namedPerson(table, row);
  const isNobody = named.linked === null && named.login === null && named.email === null;
  return isNobody ? undefined : named;
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
  'login_source',
  'login',
  'email',
  'says_bot',
  'name',
  'merged_user_id',
  'is_bot',
  'account',
  'records',
] as const;

function accountRow(
  id: string,
  named: NamedPerson,
  name: string | null,
  records: number | null,
  resolver: Resolver,
  bots: ReadonlySet<string>,
): AccountRow {
  const { linked, source, loginSource, login, email, saysBot } = named;
  const { merged_user_id, is_bot } = resolver.resolve(named, bots);
  return {
    account_id: id,
    linked_id: linked,
    source,
    login_source: loginSource,
    login,
    email,
    says_bot: saysBot,
    name,
    merged_user_id,
    is_bot,
    account: resolver.accountOf(named),
    records,
  };
}

const namedIn = ({ linked_id, source, login_source, login, email, says_bot }: AccountRow): NamedPerson => ({
  linked: linked_id,
  source,
  loginSource: login_source,
  login,
  email,
  saysBot: says_bot,
});

/** Accounts that mean another person now than when their rows were written. The stored ways of naming are brought up to date. */
export async function changedAccounts(
  session: IntakeSession,
  resolver: Resolver,
  bots: ReadonlySet<string>,
): Promise<NamedPerson[]> {
  const rows = await session.select(accounts, accountColumns);
  const changed: AccountRow[] = [];
  const named: NamedPerson[] = [];
  for (const row of rows) {
    const account = namedIn(row);
    const now = accountRow(row.account_id ?? '', account, row.name, row.records, resolver, bots);
    if (now.merged_user_id === row.merged_user_id && now.is_bot === row.is_bot) continue;
    changed.push(now);
    named.push(account);
  }
  await session.put(accounts, changed);
  return named;
}

/** Counts the records of ways that an earlier version wrote down without counting: one new record must not outvote them. */
export async function countUncountedRecords({ session, resolver, bots }: Batch): Promise<void> {
  const uncounted = await session.tally(accounts, [], { column: 'records', isNull: true });
  if ((uncounted[0]?.rows ?? 0) > 0) await recountAccounts(session, resolver, bots);
}

/** Counts, from all rows, how many name a person in each way. */
export async function recountAccounts(
  session: IntakeSession,
  resolver: Resolver,
  bots: ReadonlySet<string>,
): Promise<void> {
  const counted = new Map<string, { readonly named: NamedPerson; records: number }>();
  for (const name of namingTables) {
    const table: Table = factTables[name];
    const columns = namingColumns(table);
    const where: Condition = {
      all: table.recorded ? [{ column: table.recorded.column, in: [table.recorded.value] }] : [],
    };
    for (const row of (await session.tally(table, columns as never, where)) as unknown as (Row & { rows: number })[]) {
      const named = personNamedBy(table, row);
      if (!named) continue;
      const id = accountId(named);
      const known = counted.get(id);
      if (known) known.records += row.rows;
      else counted.set(id, { named, records: row.rows });
    }
  }
  const rows = await session.select(accounts, accountColumns);
  const changed: AccountRow[] = [];
  for (const row of rows) {
    const id = row.account_id ?? '';
    const records = counted.get(id)?.records ?? 0;
    counted.delete(id);
    const account = resolver.accountOf(namedIn(row));
    if (row.records !== records || row.account !== account) changed.push({ ...row, records, account });
  }
  for (const [id, { named, records }] of counted) changed.push(accountRow(id, named, null, records, resolver, bots));
  await session.put(accounts, changed);
}

/** The rows of a table that name one of these accounts. */
function rowsNaming(name: FactTable, named: readonly NamedPerson[]): { columns: readonly string[]; among: Value[][] } {
  const table: Table = factTables[name];
  return {
    columns: namingColumns(table),
    among: named.map(({ linked, source, loginSource, login, email, saysBot }): Value[] => [
      linked,
      table.naming?.onAnyCodeHost && source === anyCodeHost ? null : source,
      loginSource,
      login,
      email,
      saysBot,
    ]),
  };
}

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
