import { secondsOfDay, secondsPerDay } from '../calendar.ts';
import { repositoriesCopy } from '../catalogue/directory-copies.ts';
import type { Row, Table, Value } from '../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../catalogue/tables/all-tables.ts';
import { pullRequests } from '../catalogue/tables/pull-requests.ts';
import { addToList } from '../lists-by-key.ts';
import type { ListedAccount } from '../store/source-people-rows.ts';
import { compareTexts, keyOf } from '../text-comparison.ts';
import type { TableReader } from '../warehouse/intake-port.ts';
import { defaultMaxListed } from './unresolved-people.ts';

export interface UndeployedPullRequests {
  readonly pull_requests: number;
  readonly by_status: readonly { readonly status: string; readonly pull_requests: number }[];
}

/** Merged pull requests that no deployment is known to have carried, by what became of them. */
export async function undeployedPullRequests(reader: TableReader): Promise<UndeployedPullRequests> {
  const tallied = await reader.tally(pullRequests, ['deployment_attribution_status'], {
    column: 'pr_merged_at',
    isNull: false,
  });
  const by_status = tallied
    .map(({ deployment_attribution_status: status, rows }) => ({ status: status ?? 'unknown', pull_requests: rows }))
    .filter(({ status }) => status !== 'deployed')
    .sort((a, b) => b.pull_requests - a.pull_requests || compareTexts(a.status, b.status));
  return { pull_requests: by_status.reduce((all, { pull_requests }) => all + pull_requests, 0), by_status };
}

/** A repository in which nothing happened for so long is worth a look. */
export const recentDays = 30;

export interface QuietRepositories {
  readonly repositories: number;
  readonly longest_quiet: readonly QuietRepository[];
}

interface QuietRepository {
  readonly repository: string;
  /** Null where there never was anything. */
  readonly newest_record_at: string | null;
}

/** Repositories without recent data, those without any first. What the directory calls inactive is left aside. */
export async function quietRepositories(
  reader: TableReader,
  now: Date,
  maxListed = defaultMaxListed,
): Promise<QuietRepositories> {
  const newest = new Map<string, Newest>();
  for await (const named of newestIn(reader, 'repository')) note(newest, named);
  for (const row of await reader.select(repositoriesCopy, ['repository_key', 'repository', 'is_active'])) {
    const key = row.repository_key ?? '';
    if (row.is_active === false) newest.delete(key);
    else if (!newest.has(key)) newest.set(key, { name: row.repository ?? key, at: undefined });
  }
  // Sessions of coding agents call a folder what they like: it need not be a repository that is known.
  for await (const named of newestIn(reader, 'repo_name')) if (newest.has(keyOf(named.name))) note(newest, named);
  const since = now.getTime() / 1_000 - recentDays * secondsPerDay;
  const quiet = [...newest.values()]
    .filter(({ at }) => at === undefined || at < since)
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || compareTexts(a.name, b.name));
  return {
    repositories: quiet.length,
    longest_quiet: quiet.slice(0, maxListed).map(({ name, at }) => ({ repository: name, newest_record_at: isoOf(at) })),
  };
}

interface Newest {
  readonly name: string;
  readonly at: number | undefined;
}

function note(newest: Map<string, Newest>, { name, at = Number.NEGATIVE_INFINITY }: Newest): void {
  const known = newest.get(keyOf(name));
  if (at > (known?.at ?? Number.NEGATIVE_INFINITY)) newest.set(keyOf(name), { name: known?.name ?? name, at });
}

/** The newest times of each repository, in every table that has a column for it: reviews and commits count as pull requests do. */
async function* newestIn(reader: TableReader, column: 'repository' | 'repo_name'): AsyncGenerator<Newest> {
  for (const table of Object.values<Table>(factTables)) {
    if (!(column in table.columns)) continue;
    for (const date of new Set(Object.values(table.dates))) {
      const rows = await reader.summarise(table, [column] as never, { max: date as never });
      for (const row of rows as unknown as Row[]) {
        const [name, at] = [row[column], secondsOf(row.value)];
        if (typeof name === 'string' && at !== undefined) yield { name, at };
      }
    }
  }
}

export interface FilledTable {
  readonly table: FactTable;
  readonly rows: number;
}

/** How many rows each table has. Tables without rows are left out. */
export async function filledTables(reader: TableReader): Promise<FilledTable[]> {
  const filled: FilledTable[] = [];
  for (const table of factTableNames) {
    const rows = (await reader.tally(factTables[table] as Table, []))[0]?.rows ?? 0;
    if (rows > 0) filled.push({ table, rows });
  }
  return filled;
}

/** A day counts from its beginning, UTC. */
function secondsOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? secondsOfDay(value) : undefined;
}

const isoOf = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString();

export interface PeopleWhoLeft {
  readonly people: number;
  readonly latest: readonly PersonWhoLeft[];
}

export interface PersonWhoLeft {
  readonly merged_user_id: string;
  readonly name: string;
  readonly logins: readonly string[];
  /** When the last of their accounts was no longer listed. */
  readonly left_at: string;
}

/** People who are onboarded, and whom no code host lists any more that once did. */
export function peopleWhoLeft(accounts: readonly ListedAccount[], maxListed = defaultMaxListed): PeopleWhoLeft {
  const byPerson = new Map<string, ListedAccount[]>();
  for (const account of accounts) {
    const { person_id: id, onboarded } = account;
    if (id !== null && onboarded) addToList(byPerson, id, account);
  }
  const left = [...byPerson].flatMap(([id, theirs]): PersonWhoLeft[] => {
    const times = theirs.flatMap(({ left_at }) => left_at?.toISOString() ?? []).toSorted(compareTexts);
    const left_at = times.at(-1);
    if (left_at === undefined || times.length < theirs.length) return [];
    return [{ merged_user_id: id, name: theirs[0]?.name ?? '', logins: loginsOf(theirs), left_at }];
  });
  const latest = left.toSorted((a, b) => compareTexts(b.left_at, a.left_at) || compareTexts(a.name, b.name));
  return { people: left.length, latest: latest.slice(0, maxListed) };
}

/** An account whose login is one person's and whose verified email address is another's. */
export interface DisputedLink {
  readonly source: string;
  readonly login: string;
  readonly linked_to: string;
  readonly email_belongs_to: string;
}

export function disputedLinks(accounts: readonly ListedAccount[], maxListed = defaultMaxListed): DisputedLink[] {
  const links = new Map<string, DisputedLink>();
  for (const { host, login, login_key, name, email_person_name } of accounts) {
    if (name === null || email_person_name === null) continue;
    // Several sources may list the same account.
    const link = { source: host, login, linked_to: name, email_belongs_to: email_person_name };
    links.set(JSON.stringify([host, login_key, email_person_name]), link);
  }
  return [...links.values()].slice(0, maxListed);
}

const loginsOf = (accounts: readonly ListedAccount[]): string[] => [...new Set(accounts.map(({ login }) => login))];
