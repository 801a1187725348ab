import { addToList } from '../lists-by-key.ts';
import { type IdentityKind, identitiesOf, mergedWith } from '../store/people.ts';
import type { OrganisationWriting } from '../store/store.ts';
import type { Identity } from './person-identities.ts';
import type { PersonState } from './person-state.ts';

/** These people and everyone who is merged with them, with identities and memberships: a handful of statements for any number. */
export async function readPeople(session: OrganisationWriting, ids: readonly string[]): Promise<PersonState[]> {
  if (ids.length === 0) return [];
  const { organisationId } = session;
  const rows = await mergedWith(session, organisationId, ids);
  const all = rows.map(({ id }) => id);
  const identities = new Map<string, Identity[]>();
  for (const { person_id, kind, source, key, value } of await identitiesOf(session, organisationId, all)) {
    addToList(identities, person_id, { kind: kind as IdentityKind, source, key, value });
  }
  const teams = await membershipsIn(session, 'team_members', 'team_id', all);
  const managedTeams = await membershipsIn(session, 'team_managers', 'team_id', all);
  const squads = await membershipsIn(session, 'squad_members', 'squad_id', all);
  return rows.map((row) => ({
    row,
    identities: identities.get(row.id) ?? [],
    teams: teams.get(row.id) ?? [],
    managedTeams: managedTeams.get(row.id) ?? [],
    squads: squads.get(row.id) ?? [],
  }));
}

async function membershipsIn(
  session: OrganisationWriting,
  table: string,
  column: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await session.rows<{ person_id: string; group_id: string }>(
    `SELECT person_id, ${column} AS group_id FROM ${table}
     WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[])) ORDER BY person_id, ${column}`,
    [session.organisationId, ids],
  );
  const groups = new Map<string, string[]>();
  for (const { person_id, group_id } of rows) addToList(groups, person_id, group_id);
  return groups;
}
