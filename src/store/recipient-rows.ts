import type { Reading } from './store.ts';

/** A person as they are now, after all merges. */
interface RecipientRow {
  /** The identifier or the address that was asked about. */
  readonly asked: string;
  readonly id: string;
  readonly name: string;
  readonly access_role: string;
}

const person = 'e.id, e.name, e.access_role';
const effective = 'JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id';

export function peopleById(session: Reading, organisationId: string, ids: readonly string[]): Promise<RecipientRow[]> {
  return session.rows(
    `SELECT p.id AS asked, ${person} FROM people p ${effective}
     WHERE p.organisation_id = $1 AND p.id IN (SELECT unnest($2::text[]))`,
    [organisationId, ids],
  );
}

/** People by email addresses in lower case, any of theirs. */
export function peopleByAddress(
  session: Reading,
  organisationId: string,
  addresses: readonly string[],
): Promise<RecipientRow[]> {
  return session.rows(
    `SELECT i.key AS asked, ${person} FROM identities i
     JOIN people p ON p.organisation_id = i.organisation_id AND p.id = i.person_id ${effective}
     WHERE i.organisation_id = $1 AND i.kind = 'email' AND i.key IN (SELECT unnest($2::text[]))`,
    [organisationId, addresses],
  );
}

/** The email addresses of the Owners: the main one of each who has one. */
export async function addressesOfOwners(session: Reading, organisationId: string): Promise<string[]> {
  const rows = await session.rows<{ readonly main_email: string }>(
    `SELECT DISTINCT lower(main_email) AS main_email FROM people
     WHERE organisation_id = $1 AND access_role = 'Owner' AND main_email IS NOT NULL AND effective_id = id
     ORDER BY 1`,
    [organisationId],
  );
  return rows.map(({ main_email }) => main_email);
}
