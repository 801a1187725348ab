import { peopleCopy } from '../catalogue/directory-copies.ts';
import type { Row } from '../catalogue/table.ts';
import { factTables } from '../catalogue/tables/all-tables.ts';
import { type DisputedAccount, disputedAccounts } from '../ingest/resolve/bots.ts';
import { namingTables } from '../ingest/resolve/resolver.ts';
import { type UnknownAccount, unknownAccounts } from '../ingest/resolve/suggestions.ts';
import { compareTexts } from '../text-comparison.ts';
import type { TableReader } from '../warehouse/intake-port.ts';

/** Entries of a list that are written out, those with the most rows first. */
export const defaultMaxListed = 100;

export interface UnknownIdentities {
  readonly accounts: number;
  /** Rows that belong to no person because of it. */
  readonly rows: number;
  readonly most_named: readonly UnknownAccount[];
}

/** Accounts that belong to no person in the directory. */
export async function unknownIdentities(reader: TableReader): Promise<UnknownIdentities> {
  const accounts = await unknownAccounts(reader);
  return {
    accounts: accounts.length,
    rows: sum(accounts),
    most_named: byRows(accounts, (account) => account.login ?? account.email ?? '').slice(0, defaultMaxListed),
  };
}

export interface DisputedIdentity {
  readonly source: string | null;
  readonly login: string | null;
  /** Where the account is known by an address or an identifier. */
  readonly identifier: string | null;
  readonly bot_records: number;
  readonly person_records: number;
  /** `both`: some of its rows are a bot's and others a person's. */
  readonly counts_as: 'bot' | 'person' | 'both';
}

/** Accounts that some records call a bot and others a person. */
export async function disputedIdentities(reader: TableReader): Promise<DisputedIdentity[]> {
  return (await disputedAccounts(reader)).slice(0, defaultMaxListed).map(disputedIdentity);
}

function disputedIdentity({ account, bot, person, isBot }: DisputedAccount): DisputedIdentity {
  return {
    ...readAccount(account),
    bot_records: bot,
    person_records: person,
    counts_as: isBot === null ? 'both' : isBot ? 'bot' : 'person',
  };
}

/** `login:github:ada` is ada on github; an address or an identifier stands for itself. */
function readAccount(account: string): Pick<DisputedIdentity, 'source' | 'login' | 'identifier'> {
  const [, source = '', login] = /^login:([^:]*):(.*)$/s.exec(account) ?? [];
  if (login === undefined) return { source: null, login: null, identifier: account.replace(/^(email|id):/, '') };
  return { source: source === '' ? null : source, login, identifier: null };
}

/** An account in words: "ada on github", or its address. */
export function describeAccount(account: string): string {
  const { source, login, identifier } = readAccount(account);
  return login === null ? (identifier ?? '') : describeLogin(source, login);
}

export const describeLogin = (source: string | null, login: string): string =>
  source === null ? login : `${login} on ${source}`;

export interface NotOnboarded {
  readonly people: number;
  /** Rows that metrics of people leave out because of it. */
  readonly rows: number;
  readonly most_active: readonly NotOnboardedPerson[];
}

export interface NotOnboardedPerson {
  readonly merged_user_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly rows: number;
}

/** People who are known and not onboarded, bots left aside. */
export async function notOnboarded(reader: TableReader, maxListed = defaultMaxListed): Promise<NotOnboarded> {
  const people = await reader.select(peopleCopy, ['merged_user_id', 'name', 'main_email'], {
    all: [
      { column: 'onboarded', in: [false] },
      { column: 'is_bot', in: [false] },
    ],
  });
  const rows = await rowsOf(
    reader,
    people.flatMap(({ merged_user_id }) => merged_user_id ?? []),
  );
  const listed = people.map(({ merged_user_id, name, main_email }) => ({
    merged_user_id: merged_user_id ?? '',
    name: name ?? '',
    email: main_email,
    rows: rows.get(merged_user_id ?? '') ?? 0,
  }));
  const most_active = byRows(listed, ({ name }) => name).slice(0, maxListed);
  return { people: listed.length, rows: sum(listed), most_active };
}

async function rowsOf(reader: TableReader, people: readonly string[]): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  if (people.length === 0) return rows;
  for (const name of namingTables) {
    const tallied = await reader.tally(factTables[name], ['merged_user_id'] as never, {
      column: 'merged_user_id',
      in: people,
    });
    for (const { merged_user_id, rows: more } of tallied as unknown as (Row & { rows: number })[]) {
      const person = String(merged_user_id);
      rows.set(person, (rows.get(person) ?? 0) + more);
    }
  }
  return rows;
}

const sum = (entries: readonly { readonly rows: number }[]): number => entries.reduce((all, { rows }) => all + rows, 0);

/** The accounts with the most rows come first. */
export const byRows = <T extends { readonly rows: number }>(entries: readonly T[], name: (entry: T) => string): T[] =>
  entries.toSorted((a, b) => b.rows - a.rows || compareTexts(name(a), name(b)));
