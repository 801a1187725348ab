import type { StoreRowOf } from './define-table.ts';
import { putRows } from './put-rows.ts';
import { sourceMemberships, sourcePeople } from './source-tables.ts';
import type { OrganisationWriting, Reading, Writing } from './store.ts';

export type SourcePersonRow = StoreRowOf<typeof sourcePeople>;
type SourceMembershipRow = StoreRowOf<typeof sourceMemberships>;

/** Every account that a source of the organisation has listed. */
export function listSourcePeople(session: Reading, organisationId: string): Promise<SourcePersonRow[]> {
  return session.rows(
    'SELECT * FROM source_people WHERE organisation_id = $1 ORDER BY source_id, owner_key, login_key',
    [organisationId],
  );
}

export async function putSourcePeople(session: Writing, rows: readonly SourcePersonRow[]): Promise<void> {
  await putRows(session, sourcePeople, rows);
}

/** Accounts that left, and that are nobody's any more. */
export async function removeSourcePeople(
  session: OrganisationWriting,
  { sourceId, ownerKey }: SourceOwner,
  loginKeys: readonly string[],
): Promise<void> {
  if (loginKeys.length === 0) return;
  await session.run(
    `DELETE FROM source_people
     WHERE source_id = $1 AND owner_key = $2 AND login_key IN (SELECT unnest($3::text[]))`,
    [sourceId, ownerKey, loginKeys],
  );
}

/** An organisation on a code host, as one source reads it. */
export interface SourceOwner {
  readonly sourceId: string;
  readonly ownerKey: string;
}

interface SourceMembership {
  readonly teamId: string;
  readonly personId: string;
}

/** Every membership that a source of the organisation brought. */
export function listSourceMemberships(session: Reading, organisationId: string): Promise<SourceMembershipRow[]> {
  return session.rows('SELECT * FROM source_memberships WHERE organisation_id = $1', [organisationId]);
}

export async function addSourceMemberships(
  session: OrganisationWriting,
  { sourceId, ownerKey }: SourceOwner,
  memberships: readonly SourceMembership[],
): Promise<void> {
  await putRows(
    session,
    sourceMemberships,
    memberships.map(({ teamId, personId }) => ({
      source_id: sourceId,
      owner_key: ownerKey,
      team_id: teamId,
      person_id: personId,
      organisation_id: session.organisationId,
    })),
  );
}

export async function removeSourceMemberships(
  session: Writing,
  { sourceId, ownerKey }: SourceOwner,
  memberships: readonly SourceMembership[],
): Promise<void> {
  if (memberships.length === 0) return;
  await session.run(
    `DELETE FROM source_memberships WHERE source_id = $1 AND owner_key = $2 AND (team_id, person_id) IN (
       SELECT unnest($3::text[]), unnest($4::text[]))`,
    [sourceId, ownerKey, memberships.map(({ teamId }) => teamId), memberships.map(({ personId }) => personId)],
  );
}

/** Lets memberships of these people be as if made by hand. Answers whose there were any of. */
export async function forgetWhoBrought(session: OrganisationWriting, personIds: readonly string[]): Promise<string[]> {
  if (personIds.length === 0) return [];
  const values = [session.organisationId, personIds];
  const found = await session.rows<{ person_id: string }>(
    `SELECT DISTINCT person_id FROM source_memberships
     WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[])) ORDER BY person_id`,
    values,
  );
  if (found.length > 0) {
    await session.run(
      'DELETE FROM source_memberships WHERE organisation_id = $1 AND person_id IN (SELECT unnest($2::text[]))',
      values,
    );
  }
  return found.map(({ person_id }) => person_id);
}

/** People whom a source lists now, as who they are after all merges. */
export async function listedPeople(session: Reading, organisationId: string): Promise<Set<string>> {
  const rows = await session.rows<{ id: string }>(
    `SELECT DISTINCT p.effective_id AS id FROM source_people s
     JOIN identities i ON i.organisation_id = s.organisation_id AND i.kind = 'login' AND i.source = s.host
       AND i.key = s.login_key
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     WHERE s.organisation_id = $1 AND s.left_at IS NULL`,
    [organisationId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** An account that a source has listed, and whose it is. */
export interface ListedAccount extends SourcePersonRow {
  /** After all merges; null where it is nobody's. */
  readonly person_id: string | null;
  readonly name: string | null;
  readonly onboarded: boolean | null;
  /** Who has its verified email address, where that is somebody else. */
  readonly email_person_name: string | null;
}

/** The accounts of one source, or of all sources of an organisation. */
export function listAccounts(session: Reading, organisationId: string, sourceId?: string): Promise<ListedAccount[]> {
  return session.rows(
    `SELECT s.*, e.id AS person_id, e.name, e.onboarded, o.name AS email_person_name
     FROM source_people s
     LEFT JOIN identities i ON i.organisation_id = s.organisation_id AND i.kind = 'login' AND i.source = s.host
       AND i.key = s.login_key
     LEFT JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id
     LEFT JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
     LEFT JOIN people m ON m.organisation_id = s.organisation_id AND m.id = s.email_person_id
     LEFT JOIN people o ON o.organisation_id = m.organisation_id AND o.id = m.effective_id AND o.id <> e.id
     WHERE s.organisation_id = $1 AND ($2::text IS NULL OR s.source_id = $2)
     ORDER BY s.owner_key, s.login_key, s.source_id`,
    [organisationId, sourceId ?? null],
  );
}
