import {
  peopleCopy,
  reportsOfCopy,
  squadMembersCopy,
  squadsBelowCopy,
  squadsCopy,
  teamMembersCopy,
} from '../catalogue/directory-copies.ts';
import type { Row, Table } from '../catalogue/table.ts';
import { listsByKey } from '../lists-by-key.ts';
import { Refusal } from '../refusal.ts';
import type { IdentityRow, PersonRow } from '../store/people-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import { VersionedCache } from '../store/versioned-cache.ts';
import { compareTexts } from '../text-comparison.ts';
import { copiesOf } from './published-copies.ts';
import type { NamedThing, OrganisationRoster, RosterPerson, RosterVisibility } from './roster-entries.ts';
import { type DirectorySnapshot, readSnapshot } from './snapshot.ts';

const maxOrganisations = 50;

/** Who is in an organisation, kept until it changes. */
export class Roster {
  readonly #kept: VersionedCache<OrganisationRoster>;

  constructor(store: Store) {
    this.#kept = new VersionedCache<OrganisationRoster>(store, maxOrganisations, readRoster);
  }

  of(organisationId: string): Promise<OrganisationRoster> {
    return this.#kept.get(organisationId);
  }
}

async function readRoster(session: Reading, organisationId: string): Promise<OrganisationRoster> {
  const snapshot = await readSnapshot(session, organisationId);
  if (!snapshot) throw new Refusal('not-found', `There is no organisation ${organisationId}.`);
  const managed = await session.rows<{ team_id: string; person_id: string }>(
    'SELECT team_id, person_id FROM team_managers WHERE organisation_id = $1 ORDER BY team_id',
    [organisationId],
  );
  return rosterOf(snapshot, managed);
}

interface ManagedTeam {
  readonly team_id: string;
  readonly person_id: string;
}

/** The roster that a state of the directory means. Who belongs to whom is what the copies in the warehouse say. */
function rosterOf(snapshot: DirectorySnapshot, managed: readonly ManagedTeam[]): OrganisationRoster {
  const copies = copiesOf(snapshot);
  const rowsOf = (table: Table): readonly Row[] => copies.get(table) ?? [];
  const memberships = {
    teams: rowsOf(teamMembersCopy),
    squads: rowsOf(squadMembersCopy),
    led: rowsOf(squadsCopy),
    below: rowsOf(squadsBelowCopy),
    reports: rowsOf(reportsOfCopy),
  };
  const teams = new Map(snapshot.teams.map(({ id, name }) => [id, { id, name }]));
  const squads = new Map(snapshot.squads.map(({ id, name }) => [id, { id, name }]));
  const people = peopleIn(snapshot, managed, { teams, squads }, rowsOf);
  const byId = new Map(people.map((person) => [person.id, person]));
  const named = (id: unknown): NamedThing | null => nameOf(byId.get(String(id)));
  const teamMembers = groupedBy(memberships.teams, 'team_id', 'merged_user_id');
  const squadMembers = groupedBy(memberships.squads, 'squad_id', 'merged_user_id');
  const names = (ids: readonly string[] = []): NamedThing[] => ids.flatMap((id) => named(id) ?? []).sort(byName);
  return {
    people,
    byId,
    teams: snapshot.teams.map(({ id, name, department }) => ({
      id,
      name,
      department,
      members: names(teamMembers.get(id)),
    })),
    squads: memberships.led.map(({ squad_id, squad_name, squad_level, parent_squad_id, lead_id }) => ({
      id: String(squad_id),
      name: String(squad_name),
      level: typeof squad_level === 'number' ? squad_level : null,
      parent: squads.get(String(parent_squad_id)) ?? null,
      lead: named(lead_id),
      members: names(squadMembers.get(String(squad_id))),
    })),
    seenBy: (visibility) => seenBy(visibility, memberships),
  };
}

function peopleIn(
  { people, identities }: DirectorySnapshot,
  managed: readonly ManagedTeam[],
  groups: Readonly<Record<'teams' | 'squads', ReadonlyMap<string, NamedThing>>>,
  rowsOf: (table: Table) => readonly Row[],
): RosterPerson[] {
  const effective = new Map(people.map(({ id, effective_id }) => [id, effective_id]));
  const names = new Map(people.map(({ id, name }) => [id, { id, name }]));
  const identitiesOf = listsByKey(identities, ({ person_id }) => effective.get(person_id));
  const managedBy = listsByKey(managed, ({ person_id }) => effective.get(person_id));
  const absorbed = listsByKey(people, ({ merged_into, effective_id }) =>
    merged_into === null ? undefined : effective_id,
  );
  const teamsOf = groupedBy(rowsOf(teamMembersCopy), 'merged_user_id', 'team_id');
  const squadsOf = groupedBy(rowsOf(squadMembersCopy), 'merged_user_id', 'squad_id');
  const managerOf = new Map(rowsOf(peopleCopy).map(({ merged_user_id, manager_id }) => [merged_user_id, manager_id]));
  const groupNames = (ids: readonly string[], known: ReadonlyMap<string, NamedThing>) =>
    ids.flatMap((id) => known.get(id) ?? []).sort(byName);
  const personOf = (row: PersonRow): RosterPerson => ({
    ...attributesOf(row),
    ...identitiesIn(identitiesOf.get(row.id) ?? []),
    teams: groupNames(teamsOf.get(row.id) ?? [], groups.teams),
    managedTeams: groupNames([...new Set((managedBy.get(row.id) ?? []).map(({ team_id }) => team_id))], groups.teams),
    squads: groupNames(squadsOf.get(row.id) ?? [], groups.squads),
    manager: names.get(String(managerOf.get(row.id))) ?? null,
    mergedFrom: (absorbed.get(row.id) ?? []).map(({ id, name, main_email }) => ({ id, name, email: main_email })),
  });
  return people
    .filter(({ merged_into }) => merged_into === null)
    .map(personOf)
    .sort(byName);
}

const attributesOf = (row: PersonRow) => ({
  id: row.id,
  name: row.name,
  email: row.main_email,
  managerEmail: row.manager_email,
  accessRole: row.access_role,
  permissions: JSON.parse(row.permissions) as string[],
  jobTitle: row.role,
  level: row.level,
  location: row.location,
  onboarded: row.onboarded,
  isBot: row.is_bot,
  createdDate: row.created_date,
});

const identitiesIn = (all: readonly IdentityRow[]) => ({
  emails: all.flatMap(({ kind, value }) => (kind === 'email' ? [value] : [])),
  logins: all.flatMap(({ kind, source, value }) => (kind === 'login' ? [{ source, login: value }] : [])),
});

interface Memberships {
  readonly teams: readonly Row[];
  readonly squads: readonly Row[];
  readonly led: readonly Row[];
  readonly below: readonly Row[];
  readonly reports: readonly Row[];
}

/** The people are those whose rows a question would show. */
function seenBy(
  visibility: RosterVisibility,
  { teams, squads, led, below, reports }: Memberships,
): (id: string) => boolean {
  if (visibility === 'organisation') return () => true;
  const { self, teamIds, hasReports, leadsSquads } = visibility;
  const seen = new Set([self]);
  const add = (rows: readonly Row[], isSeen: (row: Row) => boolean) => {
    for (const row of rows) if (isSeen(row)) seen.add(String(row.merged_user_id));
  };
  add(teams, ({ team_id }) => teamIds.includes(String(team_id)));
  if (hasReports) add(reports, ({ manager_id }) => manager_id === self);
  if (leadsSquads) {
    const own = new Set(led.filter(({ lead_id }) => lead_id === self).map(({ squad_id }) => squad_id));
    const theirs = new Set(below.filter(({ squad_id }) => own.has(squad_id)).map((row) => row.below_squad_id));
    add(squads, ({ squad_id }) => theirs.has(squad_id));
  }
  return (id) => seen.has(id);
}

const nameOf = (thing: NamedThing | undefined): NamedThing | null =>
  thing ? { id: thing.id, name: thing.name } : null;

const byName = (a: NamedThing, b: NamedThing): number => compareTexts(a.name, b.name) || compareTexts(a.id, b.id);

/** The values of one column beside each value of another. */
const groupedBy = (rows: readonly Row[], by: string, column: string): Map<string, string[]> => {
  const lists = listsByKey(rows, (row) => String(row[by]));
  return new Map([...lists].map(([key, own]) => [key, own.map((row) => String(row[column]))]));
};
