import { lastActivity } from '../../catalogue/derivation-state.ts';
import { peopleCopy, teamMembersCopy, teamsCopy } from '../../catalogue/directory-copies.ts';
import type { DirectoryTable } from '../../catalogue/directory-records.ts';
import type { Row } from '../../catalogue/table.ts';
import { statedBot } from '../../directory/called-bots.ts';
import { isBotLogin } from '../../directory/identifier.ts';
import { onboardedAsRecord, onboardingOf } from '../../directory/person-state.ts';
import { type DirectorySnapshot, readSnapshot } from '../../directory/snapshot.ts';
import { listsByKey } from '../../lists-by-key.ts';
import type { Store } from '../../store/store.ts';
import { compareTexts } from '../../text-comparison.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';

type ExportedMembership = Readonly<Record<string, string>> & { readonly person_id: string };

/** The directory as the records that would create it: merged people are one person, with the records of all of them. */
export async function directoryRows(store: Store, organisationId: string, table: DirectoryTable): Promise<Row[]> {
  const { snapshot, managers } = await store.read(async (session) => ({
    snapshot: await readSnapshot(session, organisationId),
    managers: await session.rows<ExportedMembership>('SELECT * FROM team_managers WHERE organisation_id = $1', [
      organisationId,
    ]),
  }));
  if (!snapshot) return [];
  switch (table) {
    case 'people':
      return byText('merged_user_id', personRows(snapshot, managers));
    case 'teams':
      return byText(
        'team_id',
        snapshot.teams.map(({ id, name, department }) => ({ team_id: id, team_name: name, department })),
      );
    case 'squads':
      return byText(
        'squad_id',
        snapshot.squads.map(({ id, name, level, parent, lead_email }) => ({
          squad_id: id,
          squad_name: name,
          squad_level: level,
          parent_squad: parent,
          lead_email,
        })),
      );
    case 'repositories':
      return byText(
        'repository',
        snapshot.repositories.map(({ organisation_id: _, key: __, name, ...settings }) => ({
          repository: name,
          ...settings,
        })),
      );
  }
}

const byText = (column: string, rows: Row[]): Row[] =>
  rows.sort((a, b) => compareTexts(String(a[column]), String(b[column])));

function personRows(snapshot: DirectorySnapshot, managers: readonly ExportedMembership[]): Row[] {
  const { people, identities, teams, squads } = snapshot;
  const effective = new Map(people.map(({ id, effective_id }) => [id, effective_id]));
  const isOwn = (id: string) => effective.get(id) === id;
  // Their own before what came with a merge, each in the order in which it was given.
  const inOrder = identities.toSorted(
    (a, b) =>
      Number(!isOwn(a.person_id)) - Number(!isOwn(b.person_id)) ||
      a.position - b.position ||
      compareTexts(a.key, b.key),
  );
  const theirs = listsByKey(inOrder, ({ person_id }) => effective.get(person_id));
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  const squadNames = new Map(squads.map(({ id, name }) => [id, name]));
  const named = (memberships: readonly ExportedMembership[], column: string, names: ReadonlyMap<string, string>) => {
    const groups = new Map<string, Set<string>>();
    for (const membership of memberships) {
      const person = effective.get(membership.person_id);
      const name = names.get(membership[column] ?? '');
      if (person !== undefined && name !== undefined) groups.set(person, (groups.get(person) ?? new Set()).add(name));
    }
    return (person: string) => JSON.stringify([...(groups.get(person) ?? [])].sort(compareTexts));
  };
  const teamsOf = named(snapshot.teamMembers, 'team_id', teamNames);
  const squadsOf = named(snapshot.squadMembers, 'squad_id', squadNames);
  const managedBy = named(managers, 'team_id', teamNames);
  return people.flatMap((person): Row[] => {
    if (person.merged_into !== null) return [];
    const own = theirs.get(person.id) ?? [];
    const logins: Record<string, string | string[]> = {};
    for (const { source, value } of own.filter(({ kind }) => kind === 'login')) {
      const known = logins[source];
      logins[source] = known === undefined ? value : [...[known].flat(), value];
    }
    return [
      {
        merged_user_id: person.id,
        name: person.name,
        main_email: person.main_email,
        emails: JSON.stringify(own.flatMap(({ kind, value }) => (kind === 'email' ? [value] : []))),
        logins: JSON.stringify(logins),
        github_username: [logins.github ?? []].flat()[0] ?? null,
        role: person.role,
        level: person.level,
        location: person.location,
        manager_email: person.manager_email,
        access_role: person.access_role,
        permissions: person.permissions,
        salary: person.salary,
        is_bot: statedBot(
          person,
          own.some(({ kind, key, person_id }) => person_id === person.id && kind === 'login' && isBotLogin(key)),
        ),
        onboarded: onboardedAsRecord(onboardingOf(person)),
        created_date: person.created_date,
        teams: teamsOf(person.id),
        squads: squadsOf(person.id),
        managed_teams: managedBy(person.id),
      },
    ];
  });
}

interface TeamNames {
  readonly team_name: string | null;
  readonly department: string | null;
}

/** The teams of everybody, each person's by name. */
async function teamsOfPeople(session: TableReader): Promise<Map<string, TeamNames[]>> {
  const known = await session.select(teamsCopy, ['team_id', 'team_name', 'department']);
  const teams = new Map(known.map(({ team_id, ...team }) => [team_id, team]));
  const theirs = new Map<string, TeamNames[]>();
  for (const { team_id, merged_user_id } of await session.select(teamMembersCopy, ['team_id', 'merged_user_id'])) {
    const team = teams.get(team_id);
    if (!team || merged_user_id === null) continue;
    const some = theirs.get(merged_user_id) ?? [];
    theirs.set(merged_user_id, some);
    some.push(team);
  }
  for (const some of theirs.values()) some.sort((a, b) => compareTexts(a.team_name ?? '', b.team_name ?? ''));
  return theirs;
}

/** The person who answered is never shown; their teams are. */
export async function withTeamNames(session: TableReader): Promise<(rows: readonly Row[]) => Row[]> {
  const teams = await teamsOfPeople(session);
  return (rows) =>
    rows.map((row) => ({
      ...row,
      team_names: JSON.stringify((teams.get(String(row.merged_user_id)) ?? []).map(({ team_name }) => team_name)),
    }));
}

/** Everybody who counts in metrics, one row each. */
export async function peopleRows(session: TableReader): Promise<Row[]> {
  const people = await session.select(peopleCopy, [
    'merged_user_id',
    'name',
    'main_email',
    'github_username',
    'role',
    'level',
    'location',
    'manager_id',
    'salary',
    'is_bot',
    'onboarded',
    'user_created_date',
    'sources',
  ]);
  const names = new Map(people.map(({ merged_user_id, name }) => [merged_user_id, name]));
  const teams = await teamsOfPeople(session);
  const seen = await session.select(lastActivity, ['merged_user_id', 'last_active_at']);
  const activity = new Map(seen.map(({ merged_user_id, last_active_at }) => [merged_user_id, last_active_at]));
  return people
    .filter(({ onboarded }) => onboarded === true)
    .map(({ manager_id, onboarded: _, ...person }) => {
      const theirs = teams.get(person.merged_user_id ?? '') ?? [];
      const departments = [...new Set(theirs.flatMap(({ department }) => department ?? []))].sort(compareTexts);
      return {
        ...person,
        team_name: theirs[0]?.team_name ?? null,
        team_names: JSON.stringify(theirs.map(({ team_name }) => team_name)),
        departments: JSON.stringify(departments),
        manager_name: (manager_id === null ? null : names.get(manager_id)) ?? null,
        last_active_at: activity.get(person.merged_user_id) ?? null,
      };
    })
    .sort((a, b) => compareTexts(a.merged_user_id ?? '', b.merged_user_id ?? ''));
}
