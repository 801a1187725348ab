import { type identities, people, type StoreRowOf } from './all-store-tables.ts';
import { selectList } from './put-rows.ts';
import type { Reading, Writing } from './store.ts';

export type PersonRow = StoreRowOf<typeof people>;
export type IdentityRow = StoreRowOf<typeof identities>;
export type IdentityKind = 'email' | 'login';

const columns = selectList(people, 'p');

/** The people who have an identity with one of these keys. */
export function ownersOfKeys(
  session: Reading,
  organisationId: string,
  keys: readonly string[],
): Promise<{ readonly person_id: string }[]> {
  return session.rows(
    'SELECT DISTINCT person_id FROM identities WHERE organisation_id = $1 AND key IN (SELECT unnest($2::text[]))',
    [organisationId, keys],
  );
}

export function identitiesOf(
  session: Reading,
  organisationId: string,
  personIds: readonly string[],
): Promise<IdentityRow[]> {
  return session.rows(
    `SELECT person_id, kind, source, key, value FROM identities WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))
     ORDER BY person_id, kind, position, key, source`,
    [organisationId, personIds],
  );
}

/** These people with everyone who was merged into the same person as they were. */
export function mergedWith(
  session: Reading,
  organisationId: string,
  personIds: readonly string[],
): Promise<PersonRow[]> {
  return session.rows(
    `SELECT ${columns} FROM people p WHERE p.organisation_id = $1 AND p.effective_id IN (
       SELECT effective_id FROM people WHERE organisation_id = $1 AND id IN (SELECT unnest($2::text[])))`,
    [organisationId, personIds],
  );
}

/** Everyone that has not been merged into someone else, by name. */
export function listPeople(session: Reading, organisationId: string): Promise<PersonRow[]> {
  return session.rows(
    `SELECT ${columns} FROM people p WHERE p.organisation_id = $1 AND p.merged_into IS NULL ORDER BY p.name, p.id`,
    [organisationId],
  );
}

export async function countOwners(session: Reading, organisationId: string): Promise<number> {
  const [row] = await session.rows<{ owners: number }>(
    `SELECT count(*)::int AS owners FROM people
     WHERE organisation_id = $1 AND access_role = 'Owner' AND merged_into IS NULL`,
    [organisationId],
  );
  return row?.owners ?? 0;
}

export interface Match {
  readonly kind: IdentityKind;
  readonly source: string;
  readonly key: string;
  /** The person after all merges. */
  readonly id: string;
  readonly onboarded: boolean;
  readonly onboarding: string | null;
}

/** People who have an identity with one of these keys. All parts of a merged person are onboarded alike. */
export function matchPeople(session: Reading, organisationId: string, keys: readonly string[]): Promise<Match[]> {
  return session.rows(
    `SELECT i.kind, i.source, i.key, p.effective_id AS id, p.onboarded, p.onboarding
     FROM identities i JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     WHERE i.organisation_id = $1 AND i.key IN (SELECT unnest($2::text[]))
     ORDER BY p.effective_id, i.kind, i.source, i.key`,
    [organisationId, keys],
  );
}

/** Onboards or offboards people by name, together with everyone merged into them. */
export async function setOnboarded(
  session: Writing,
  organisationId: string,
  personIds: readonly string[],
  onboarded: boolean,
): Promise<void> {
  await session.run(
    `UPDATE people SET onboarded = $3, onboarding = $4
     WHERE organisation_id = $1 AND effective_id IN (SELECT unnest($2::text[]))`,
    [organisationId, personIds, onboarded, onboarded ? 'named' : 'off'],
  );
}

/** Which of these people count now. Those who are gone are left out. */
export function onboardedAmong(
  session: Reading,
  organisationId: string,
  personIds: readonly string[],
): Promise<{ readonly id: string; readonly onboarded: boolean }[]> {
  return session.rows(
    `SELECT DISTINCT e.id, e.onboarded FROM people p
     JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     WHERE p.organisation_id = $1 AND p.id IN (SELECT unnest($2::text[])) ORDER BY e.id`,
    [organisationId, personIds],
  );
}

export interface OnboardedUser {
  readonly merged_user_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly github_username: string | null;
}

/** Everyone onboarded, by name. The login shown is their own before a merged one's, on the first host in the list. */
export function onboardedUsers(
  session: Reading,
  organisationId: string,
  hosts: readonly string[],
): Promise<OnboardedUser[]> {
  return session.rows(
    `WITH hosts AS (SELECT unnest($2::text[]) AS source, unnest($3::int[]) AS place),
     logins AS (
       SELECT p.effective_id, i.value, row_number() OVER (
         PARTITION BY p.effective_id
         ORDER BY CASE WHEN p.id = p.effective_id THEN 0 ELSE 1 END, h.place, i.position, i.key) AS choice
       FROM identities i
       JOIN hosts h ON h.source = i.source
       JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
       WHERE i.organisation_id = $1 AND i.kind = 'login')
     SELECT p.id AS merged_user_id, p.name, p.main_email AS email, l.value AS github_username
     FROM people p LEFT JOIN logins l ON l.effective_id = p.id AND l.choice = 1
     WHERE p.organisation_id = $1 AND p.onboarded AND p.merged_into IS NULL
     ORDER BY p.name, p.id`,
    [organisationId, hosts, hosts.map((_, place) => place)],
  );
}
