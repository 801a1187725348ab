import {
  organisationCopy,
  peopleCopy,
  personEmailsCopy,
  type RepositoryCopy,
  reportsOfCopy,
  repositoriesCopy,
  squadMembersCopy,
  squadsBelowCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../catalogue/directory-copies.ts';
import { codeHosts } from '../catalogue/record-ids.ts';
import type { Row, Table } from '../catalogue/table.ts';
import { actionsSince } from '../store/audit.ts';
import { versionIn } from '../store/organisation-rows.ts';
import type { Reading } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { onboardingOf } from './person-state.ts';
import type { DirectorySnapshot } from './snapshot.ts';

/** The rows that the copies of the directory in a warehouse should have, table by table. */
export function copiesOf(snapshot: DirectorySnapshot): Map<Table, Row[]> {
  const effective = new Map(snapshot.people.map(({ id, effective_id }) => [id, effective_id]));
  const emails = new Map(
    snapshot.identities.flatMap(({ kind, key, person_id }) => (kind === 'email' ? [[key, person_id] as const] : [])),
  );
  /** The person with this address. */
  const known = (email: string | null): string | null => {
    const id = email === null ? undefined : emails.get(keyOf(email));
    return (id === undefined ? undefined : effective.get(id)) ?? null;
  };
  const people = peopleRows(snapshot, effective, known);
  const squads = squadRows(snapshot, known);
  return new Map<Table, Row[]>([
    [organisationCopy, [organisationRow(snapshot)]],
    [peopleCopy, people],
    [reportsOfCopy, reportRows(people)],
    [personEmailsCopy, emailRows(snapshot, effective)],
    [teamsCopy, teamRows(snapshot)],
    [teamMembersCopy, memberships(snapshot.teamMembers, 'team_id', effective)],
    [squadsCopy, squads],
    [squadsBelowCopy, squadBelowRows(squads)],
    [squadMembersCopy, memberships(snapshot.squadMembers, 'squad_id', effective)],
    [repositoriesCopy, repositoryCopies(snapshot)],
  ]);
}

function organisationRow({ organisation }: DirectorySnapshot): Row {
  const { id, time_zone, incident_window_days, runner_prices } = organisation;
  return { organisation_id: id, time_zone, incident_window_days, runner_prices };
}

function peopleRows(
  { people, identities }: DirectorySnapshot,
  effective: ReadonlyMap<string, string>,
  known: (email: string | null) => string | null,
): Row[] {
  const logins = new Map<string, DirectorySnapshot['identities'][number][]>();
  for (const identity of identities) {
    const id = effective.get(identity.person_id);
    if (identity.kind !== 'login' || id === undefined) continue;
    const own = logins.get(id) ?? [];
    if (own.length === 0) logins.set(id, own);
    own.push(identity);
  }
  return people.flatMap((person) => {
    if (person.merged_into !== null) return [];
    const own = logins.get(person.id) ?? [];
    return [
      {
        merged_user_id: person.id,
        name: person.name,
        name_key: keyOrNull(person.name),
        main_email: person.main_email,
        main_email_key: keyOrNull(person.main_email),
        github_username: shownLogin(person.id, own),
        role: person.role,
        level: person.level,
        location: person.location,
        manager_id: known(person.manager_email),
        manager_email: person.manager_email,
        manager_email_key: keyOrNull(person.manager_email),
        salary: person.salary,
        is_bot: person.is_bot,
        onboarded: person.onboarded,
        onboarded_by_name: onboardingOf(person) === 'named',
        user_created_date: person.created_date,
        sources: JSON.stringify([...new Set(own.map(({ source }) => source))].sort()),
      },
    ];
  });
}

function reportRows(people: readonly Row[]): Row[] {
  const reports = below(people, 'manager_id', 'merged_user_id');
  return closureOf(reports).map(([manager_id, merged_user_id]) => ({ manager_id, merged_user_id }));
}

function squadBelowRows(squads: readonly Row[]): Row[] {
  const pairs = closureOf(below(squads, 'parent_squad_id', 'squad_id')).filter(([above, one]) => above !== one);
  const own = squads.map(({ squad_id }) => [String(squad_id), String(squad_id)] as const);
  return [...own, ...pairs].map(([squad_id, below_squad_id]) => ({ squad_id, below_squad_id }));
}

/** The rows directly below each one that is named as being above. */
function below(rows: readonly Row[], above: string, id: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const row of rows) {
    if (row[above] === null) continue;
    const own = all.get(String(row[above])) ?? [];
    if (own.length === 0) all.set(String(row[above]), own);
    own.push(String(row[id]));
  }
  return all;
}

/** Names in the form that filters compare: no engine folds letters as the directory does. */
const keyOrNull = (name: string | null): string | null => (name === null ? null : keyOf(name));

function teamRows({ teams }: DirectorySnapshot): Row[] {
  return teams.map(({ id, name, department }) => ({
    team_id: id,
    team_name: name,
    team_name_key: keyOf(name),
    department,
  }));
}

function emailRows({ identities }: DirectorySnapshot, effective: ReadonlyMap<string, string>): Row[] {
  return identities.flatMap(({ kind, value, person_id }) => {
    const id = effective.get(person_id);
    return kind === 'email' && id !== undefined ? [{ email: value, email_key: keyOf(value), merged_user_id: id }] : [];
  });
}

/** Their own login before one that came with a merge, on the code host people are best known by. */
function shownLogin(id: string, logins: readonly DirectorySnapshot['identities'][number][]): string | null {
  const hosts: readonly string[] = codeHosts;
  const rank = ({ person_id, source, position, key }: (typeof logins)[number]) =>
    [person_id === id ? 0 : 1, hosts.indexOf(source), position, key] as const;
  const candidates = logins.filter(({ source }) => hosts.includes(source));
  const [first] = candidates.sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || (x[3] < y[3] ? -1 : 1);
  });
  return first?.value ?? null;
}

function memberships<C extends string>(
  members: readonly ({ readonly person_id: string } & Readonly<Record<C, string>>)[],
  group: C,
  effective: ReadonlyMap<string, string>,
): Row[] {
  const rows = new Map<string, Row>();
  for (const member of members) {
    const person = effective.get(member.person_id);
    if (person !== undefined)
      rows.set(`${member[group]} ${person}`, { [group]: member[group], merged_user_id: person });
  }
  return [...rows.values()];
}

function squadRows({ squads }: DirectorySnapshot, known: (email: string | null) => string | null): Row[] {
  const byId = new Map(squads.map(({ id }) => [id, id]));
  const byName = new Map(squads.map(({ id, name_key }) => [name_key, id]));
  return squads.map(({ id, name, level, parent, lead_email }) => ({
    squad_id: id,
    squad_name: name,
    squad_name_key: keyOf(name),
    squad_level: level,
    parent_squad_id: parent === null ? null : (byId.get(parent) ?? byName.get(keyOf(parent)) ?? null),
    lead_id: known(lead_email),
  }));
}

export function repositoryCopies({ repositories }: DirectorySnapshot): RepositoryCopy[] {
  return repositories.map(({ organisation_id: _, earlier_names: __, key, name, ...settings }) => ({
    repository_key: key,
    repository: name,
    ...settings,
  }));
}

/**
 * Everything that each start leads to over one step or more. A start that leads back to itself is among what it leads to.
 * `next` has what one step leads to.
 */
export function closureOf(next: ReadonlyMap<string, readonly string[]>): (readonly [from: string, to: string])[] {
  return [...next.keys()].flatMap((from) => [...reachedFrom(from, next)].map((to) => [from, to] as const));
}

function reachedFrom(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...(next.get(start) ?? [])];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    open.push(...(next.get(one) ?? []));
  }
  return reached;
}

/** Changes of keys, sources and ways of signing in change no table. */
const harmless = ['key.', 'sign-in.', 'session.', 'password.', 'openid.', 'source.'];
const isHarmless = (action: string): boolean => harmless.some((kind) => action.startsWith(kind));

/** The newest version of an organisation, when nothing happened since another version that a table depends on. */
export async function versionUnchangedSince(
  session: Reading,
  organisationId: string,
  since: number,
): Promise<number | undefined> {
  const version = await versionIn(session, organisationId);
  const actions = version < since ? undefined : await actionsSince(session, organisationId, since);
  return actions?.every(isHarmless) ? version : undefined;
}
