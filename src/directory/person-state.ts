import { addToList } from '../lists-by-key.ts';
import { identities, people, squadMembers, teamManagers, teamMembers } from '../store/all-store-tables.ts';
import { leaveDocumentsToOwners } from '../store/document-rows.ts';
import { type IdentityKind, identitiesOf, mergedWith, type PersonRow } from '../store/people-rows.ts';
import { insertRows, putRows } from '../store/put-rows.ts';
import { forgetWhoBrought } from '../store/source-people-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
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
  await leaveDocumentsToOwners(session, ids);
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

/**
 * How somebody is onboarded, the weakest first. Where two people turn out to be one, the stronger counts: an offboarding
 * is undone by name only, never because somebody arrived once more under another account.
 * - `unsaid`: nothing was ever said, and nobody is onboarded automatically here.
 * - `automatic`: onboarded because they arrived, for as long as they are no bot.
 * - `off`: offboarded, or brought with `onboarded: false`.
 * - `named`: onboarded by name, whatever else is known of them.
 */
const onboardings = ['unsaid', 'automatic', 'off', 'named'] as const;
export type Onboarding = (typeof onboardings)[number];

/** Rows from before this was kept were onboarded by name, or not at all. */
export const onboardingOf = ({ onboarding, onboarded }: Pick<PersonRow, 'onboarding' | 'onboarded'>): Onboarding =>
  (onboarding as Onboarding | null) ?? (onboarded ? 'named' : 'off');

/** Whether a person in this state counts. */
export const counts = (onboarding: Onboarding, isBot: boolean): boolean =>
  onboarding === 'named' || (onboarding === 'automatic' && !isBot);

export const strongest = (all: readonly Onboarding[]): Onboarding =>
  all.reduce<Onboarding>((a, b) => (onboardings.indexOf(b) > onboardings.indexOf(a) ? b : a), 'unsaid');

/** The state after a record. Where the record says nothing, a new person is onboarded if the organisation onboards new people. */
export function onboardingAfter(
  before: Onboarding,
  said: boolean | null | undefined,
  isAutomatic: boolean,
): Onboarding {
  if (said === true) return 'named';
  if (said === false) return 'off';
  return before === 'unsaid' && isAutomatic ? 'automatic' : before;
}

/** How a record says it: nothing, where nobody was named. */
export const onboardedAsRecord = (onboarding: Onboarding): boolean | null =>
  onboarding === 'named' ? true : onboarding === 'off' ? false : null;

/**
 * Reads people and everyone who is merged with them, with identities and memberships: a handful of statements for any
 * number.
 */
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
