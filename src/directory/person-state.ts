import type { PersonRow } from '../store/people.ts';
import { insertRows, putRows } from '../store/rows.ts';
import { forgetWhoBrought } from '../store/source-people.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { identities, people, squadMembers, teamManagers, teamMembers } from '../store/tables.ts';
import type { Identity } from './person-identities.ts';

/** A person with all that is theirs. Sets of identifiers, sorted, so that two states compare as text. */
export interface PersonState {
  readonly row: PersonRow;
  readonly identities: readonly Identity[];
  readonly teams: readonly string[];
  readonly managedTeams: readonly string[];
  readonly squads: readonly string[];
}

/** The names of what differs, for the audit log: names only, since values may be private. */
export function differences(before: PersonState, after: PersonState): string[] {
  const columns = Object.keys(after.row) as (keyof PersonRow)[];
  const lists = ['identities', 'teams', 'managedTeams', 'squads'] as const;
  return [
    ...new Set(columns.filter((name) => before.row[name] !== after.row[name]).map((name) => recordField[name] ?? name)),
    ...lists.filter(
      (name) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    ),
  ];
}

/** Columns that a field of a record is kept in besides the one of its name. */
const recordField: Readonly<Record<string, string>> = {
  stated_bot: 'is_bot',
  called_bot: 'is_bot',
  onboarding: 'onboarded',
};

/** Writes people with all that is theirs, in place of what was there before. */
export async function writePeople(session: OrganisationWriting, changed: readonly PersonState[]): Promise<void> {
  const organisation_id = session.organisationId;
  await clearPeople(
    session,
    changed.map(({ row }) => row.id),
  );
  await putRows(
    session,
    people,
    changed.map(({ row }) => row),
  );
  const theirs = <T, R>(
    pick: (person: PersonState) => readonly T[],
    rowOf: (item: T, personId: string, position: number) => R,
  ) => changed.flatMap((person) => pick(person).map((item, position) => rowOf(item, person.row.id, position)));
  await insertRows(
    session,
    identities,
    theirs(
      (person) => person.identities,
      (identity, person_id, position) => ({ ...identity, organisation_id, person_id, position }),
    ),
  );
  await forgetTakenAddresses(
    session,
    changed.map(({ row }) => row.id),
  );
  const inTeam = (team_id: string, person_id: string) => ({ organisation_id, team_id, person_id });
  const inSquad = (squad_id: string, person_id: string) => ({ organisation_id, squad_id, person_id });
  await insertRows(
    session,
    teamMembers,
    theirs(({ teams }) => teams, inTeam),
  );
  await insertRows(
    session,
    teamManagers,
    theirs(({ managedTeams }) => managedTeams, inTeam),
  );
  await insertRows(
    session,
    squadMembers,
    theirs(({ squads }) => squads, inSquad),
  );
}

/**
 * Removes people, and ends what they left behind: their keys, sessions, passwords and sign-in links must not work for a
 * person who is created from the same address later. Answers the keys that stopped working.
 */
export async function removePeople(session: OrganisationWriting, ids: readonly string[], at: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const { organisationId } = session;
  await clearPeople(session, ids);
  await forgetWhoBrought(session, ids);
  await session.run('DELETE FROM people WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[]))', [
    organisationId,
    ids,
  ]);
  const keys = await session.rows<{ id: string }>(
    `SELECT id FROM api_keys WHERE organisation_id = $1 AND revoked_at IS NULL
     AND creator_id IN (SELECT unnest($2::text[])) ORDER BY id`,
    [organisationId, ids],
  );
  await session.run(
    `UPDATE api_keys SET revoked_at = $3::timestamptz WHERE organisation_id = $1 AND revoked_at IS NULL
     AND creator_id IN (SELECT unnest($2::text[]))`,
    [organisationId, ids, at],
  );
  await session.run(
    `UPDATE sign_ins SET used_at = $3::timestamptz WHERE organisation_id = $1 AND used_at IS NULL
     AND person_id IN (SELECT unnest($2::text[]))`,
    [organisationId, ids, at],
  );
  for (const table of ['sessions', 'passwords', 'openid_subjects', 'given_emails']) {
    await session.run(`DELETE FROM ${table} WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))`, [
      organisationId,
      ids,
    ]);
  }
  return keys.map(({ id }) => id);
}

/**
 * Lets the record of merges follow the people: a person who stands alone was not merged, and one who moved has another
 * survivor.
 */
export async function repairMerges(session: OrganisationWriting): Promise<void> {
  const { organisationId } = session;
  await session.run(
    `DELETE FROM merges WHERE organisation_id = $1 AND absorbed_id NOT IN (
       SELECT id FROM people WHERE organisation_id = $1 AND merged_into IS NOT NULL)`,
    [organisationId],
  );
  await session.run(
    `UPDATE merges SET survivor_id = people.merged_into FROM people
     WHERE merges.organisation_id = $1 AND people.organisation_id = $1 AND people.id = merges.absorbed_id`,
    [organisationId],
  );
}

/** An address that was given by hand and then taken away has to be given again, also where records bring it back. */
async function forgetTakenAddresses(session: OrganisationWriting, ids: readonly string[]): Promise<void> {
  await session.run(
    `DELETE FROM given_emails WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))
     AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.organisation_id = given_emails.organisation_id
       AND i.person_id = given_emails.person_id AND i.kind = 'email' AND i.key = given_emails.key)`,
    [session.organisationId, ids],
  );
}

async function clearPeople(session: OrganisationWriting, ids: readonly string[]): Promise<void> {
  for (const table of ['identities', 'team_members', 'team_managers', 'squad_members']) {
    await session.run(`DELETE FROM ${table} WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))`, [
      session.organisationId,
      ids,
    ]);
  }
}
