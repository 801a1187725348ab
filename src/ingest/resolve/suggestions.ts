import type { Ticket } from '../../admission/ticket.ts';
import { accounts } from '../../catalogue/derivation-state.ts';
import { peopleCopy } from '../../catalogue/directory-copies.ts';
import type { Row, Table, Value } from '../../catalogue/table.ts';
import { factTables } from '../../catalogue/tables/all-tables.ts';
import { compareTexts, keyOf } from '../../text-comparison.ts';
import type { IntakePort, TableReader } from '../../warehouse/intake-port.ts';
import type { Ingest } from '../ingest.ts';
import { namingTables } from './resolver.ts';

/** An account that records name and that belongs to no person in the directory. */
export interface UnknownAccount {
  readonly source: string | null;
  readonly login: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly is_bot: boolean;
  /** How many rows name it. */
  readonly rows: number;
}

/** A person who may be the same. Nothing is merged because of it: that is for people to decide. */
export interface Suggestion {
  readonly why: 'same full name';
  readonly name: string;
  readonly person: { readonly merged_user_id: string; readonly email: string | null };
  readonly may_be:
    | { readonly merged_user_id: string; readonly email: string | null }
    | { readonly account: UnknownAccount };
}

/** Accounts that belong to no person in the directory, bots last. */
export async function unknownAccounts(session: TableReader): Promise<UnknownAccount[]> {
  const rows = await session.select(accounts, ['source', 'login_source', 'login', 'email', 'name', 'is_bot'], {
    column: 'merged_user_id',
    isNull: true,
  });
  const named = await rowsOfNobody(session);
  // Every way in which people were ever named is stored; some have no rows any more, and an account whose records disagree
  // on whether it is a bot is there twice.
  const byName = new Map<string, UnknownAccount>();
  for (const { is_bot, login_source, ...row } of rows) {
    const account = { ...row, source: login_source ?? row.source };
    const key = nameOf(account.source, account.login, account.email);
    const count = named.get(key);
    const other = byName.get(key);
    if (count === undefined) continue;
    const name = other?.name ?? account.name;
    byName.set(key, { ...account, name, is_bot: is_bot === true || other?.is_bot === true, rows: count });
  }
  return [...byName.values()].sort(
    (a, b) =>
      Number(a.is_bot) - Number(b.is_bot) ||
      compareTexts(a.source ?? '', b.source ?? '') ||
      compareTexts(a.login ?? '', b.login ?? '') ||
      compareTexts(a.email ?? '', b.email ?? ''),
  );
}

const nameOf = (...parts: Value[]): string => JSON.stringify(parts);

/** How many rows name an account that belongs to no person. */
async function rowsOfNobody(session: TableReader): Promise<Map<string, number>> {
  const named = new Map<string, number>();
  for (const name of namingTables) {
    const table: Table = factTables[name];
    const email = table.naming?.email ?? '';
    const rows = await session.tally(table, ['source', 'person_source', 'person_login', email] as never, {
      column: 'merged_user_id',
      isNull: true,
    });
    for (const row of rows as unknown as (Row & { rows: number })[]) {
      const account = nameOf(row.person_source ?? row.source ?? null, row.person_login ?? null, row[email] ?? null);
      named.set(account, (named.get(account) ?? 0) + row.rows);
    }
  }
  return named;
}

/** People who share a full name with another person or with an unknown account. */
export async function suggestMatches(session: TableReader): Promise<Suggestion[]> {
  const people = await session.select(peopleCopy, ['merged_user_id', 'name', 'main_email', 'is_bot']);
  const named = new Map<string, { merged_user_id: string; name: string; email: string | null }[]>();
  for (const { merged_user_id, name, main_email, is_bot } of people) {
    if (is_bot || merged_user_id === null || name === null || !isFullName(name)) continue;
    const namesakes = named.get(nameKey(name)) ?? [];
    named.set(nameKey(name), namesakes);
    namesakes.push({ merged_user_id, name, email: main_email });
  }
  const suggestions: Suggestion[] = [];
  for (const namesakes of named.values()) {
    const [first, ...others] = namesakes.sort((a, b) => compareTexts(a.merged_user_id, b.merged_user_id));
    if (!first) continue;
    for (const { merged_user_id, email } of others) {
      suggestions.push(suggestion(first, { merged_user_id, email }));
    }
  }
  for (const account of await unknownAccounts(session)) {
    if (account.is_bot || account.name === null || !isFullName(account.name)) continue;
    for (const person of named.get(nameKey(account.name)) ?? []) suggestions.push(suggestion(person, { account }));
  }
  return suggestions.sort((a, b) => compareTexts(a.name, b.name));
}

const nameKey = (name: string): string => keyOf(name).replace(/\s+/g, ' ');
/** A first name alone is shared by too many. */
const isFullName = (name: string): boolean => /\S\s+\S/.test(name.trim());

function suggestion(
  { merged_user_id, name, email }: { merged_user_id: string; name: string; email: string | null },
  other: Suggestion['may_be'],
): Suggestion {
  return { why: 'same full name', name, person: { merged_user_id, email }, may_be: other };
}

interface SuggestionParts {
  readonly warehouse: Pick<IntakePort, 'read'>;
  readonly ingest: Pick<Ingest, 'bringUp'>;
}

export interface SuggestionOptions {
  readonly ticket?: Ticket | undefined;
}

/** People who may be the same as others, or as accounts that belong to no one, by the directory as it is now. */
export async function matchSuggestions(
  { warehouse, ingest }: SuggestionParts,
  organisationId: string,
  options: SuggestionOptions = {},
): Promise<Suggestion[]> {
  await ingest.bringUp(organisationId);
  return warehouse.read(organisationId, suggestMatches, { lane: 'heavy', ...options });
}

/** Accounts that belong to no person in the directory. */
export async function accountsOfNobody(
  { warehouse, ingest }: SuggestionParts,
  organisationId: string,
): Promise<UnknownAccount[]> {
  await ingest.bringUp(organisationId);
  return warehouse.read(organisationId, unknownAccounts, { lane: 'heavy' });
}
