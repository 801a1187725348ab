import type { AccessRole, Permission } from '../catalogue/directory-records.ts';
import { Refusal } from '../refusal.ts';
import type { Actor } from '../store/audit.ts';
import type { Reading, Store } from '../store/store.ts';

/** The caller: a person of one organisation as they are now, by a key of theirs or signed in. */
export interface Principal {
  readonly organisationId: string;
  /** Limits count by this: by key, or by person for all their sessions together. */
  readonly keyId: string;
  readonly personId: string;
  /** Only where they are signed in. */
  readonly session?: PrincipalSession | undefined;
  /** The operator at the command line who asks in this person's name. */
  readonly user?: string;
  readonly role: AccessRole;
  readonly permissions: readonly Permission[];
  /** The people whose rows the caller sees. */
  readonly visibility: Visibility;
  /** The time zone in which days begin and end. */
  readonly timeZone: string;
  /** Whether the organisation shows salaries at all. */
  readonly salaryVisibility: boolean;
  /** Where answers to new surveys are anonymous, the smallest number of respondents in a reporting group. */
  readonly minRespondents?: number | undefined;
}

/** The session by which the caller asks. */
interface PrincipalSession {
  readonly id: string;
  readonly method: SignInMethod;
}

export type SignInMethod = 'link' | 'password' | 'openid';

/** The row that a principal is made from: `key_id` and the columns below. */
export interface PrincipalRow {
  readonly key_id: string;
  readonly organisation_id: string;
  readonly version: number;
  readonly person_id: string;
  readonly access_role: AccessRole;
  readonly permissions: string;
  readonly time_zone: string;
  readonly team_restrictions: boolean;
  readonly salary_visibility: boolean;
  readonly survey_privacy: string | null;
  readonly survey_minimum_group: number;
}

/** The organisation `o` and the person `e`, after all merges. */
export const principalColumns = `o.id AS organisation_id, o.version, o.time_zone, o.team_restrictions, o.salary_visibility, o.survey_privacy,
  o.survey_minimum_group, e.id AS person_id, e.access_role, e.permissions`;

export async function principalFrom(session: Reading, row: PrincipalRow): Promise<Principal> {
  const { organisation_id: organisationId, person_id: personId, access_role: role } = row;
  return {
    organisationId,
    keyId: row.key_id,
    personId,
    role,
    permissions: JSON.parse(row.permissions) as Permission[],
    visibility: await visibilityOf(session, {
      organisationId,
      personId,
      role,
      isTeamRestricted: row.team_restrictions,
    }),
    timeZone: row.time_zone,
    salaryVisibility: row.salary_visibility,
    minRespondents: row.survey_privacy === 'anonymous' ? row.survey_minimum_group : undefined,
  };
}

/** The actor for the audit log. */
export function actorOf({ personId, keyId, session, user }: Principal): Actor {
  if (user !== undefined) return { via: 'command', user };
  return session ? { via: 'session', personId } : { via: 'api', personId, keyId };
}

/** A person as they are now, for commands that act in their name on this machine. */
export async function actAs(store: Store, organisationId: string, personId: string, user: string): Promise<Principal> {
  const principal = await principalOfPerson(store, organisationId, personId);
  if (!principal) throw new Refusal('not-found', `There is no person ${personId} in this organisation.`);
  return { ...principal, user };
}

/** A person as they are now, for what is made in their rights without them; undefined where there is none. */
export async function principalOfPerson(
  store: Pick<Store, 'read'>,
  organisationId: string,
  personId: string,
): Promise<Principal | undefined> {
  return store.read(
    async (session) => {
      const [row] = await session.rows<PrincipalRow>(
        `SELECT '' AS key_id, ${principalColumns} FROM people p
         JOIN organisations o ON o.id = p.organisation_id
         JOIN people e ON e.organisation_id = p.organisation_id AND e.id = p.effective_id
         WHERE p.organisation_id = $1 AND p.id = $2`,
        [organisationId, personId],
      );
      return row && principalFrom(session, row);
    },
    { organisationId },
  );
}

/** The rows that a caller may see: everyone's, or those of some people, named by their place in the directory. */
export type Visibility = 'organisation' | SomePeople;

interface SomePeople {
  /** Always seen: themselves. */
  readonly self: string;
  /** Members of these teams. */
  readonly teamIds: readonly string[];
  /** Everyone who reports to them, at any depth. */
  readonly hasReports: boolean;
  /** Members of the squads that they lead, and of the squads below. */
  readonly leadsSquads: boolean;
}

/** The visibility in one word, as answers say it: decided by the role, however many people there are to see. */
export function visibilityNameOf({
  role,
  visibility,
}: {
  readonly role: AccessRole;
  readonly visibility: Visibility;
}): 'organisation' | 'teams' | 'squads' | 'self' {
  if (visibility === 'organisation') return visibility;
  if (role === 'Manager') return 'teams';
  return role === 'Squad Lead' ? 'squads' : 'self';
}

interface Viewer {
  readonly organisationId: string;
  readonly personId: string;
  readonly role: AccessRole;
  readonly isTeamRestricted: boolean;
}

/**
 * The visibility of a role now. A manager sees everything unless the organisation restricts managers to their teams.
 */
async function visibilityOf(session: Reading, viewer: Viewer): Promise<Visibility> {
  const { organisationId, personId, role, isTeamRestricted } = viewer;
  const self: SomePeople = { self: personId, teamIds: [], hasReports: false, leadsSquads: false };
  switch (role) {
    case 'Owner':
      return 'organisation';
    case 'Manager':
      if (!isTeamRestricted) return 'organisation';
      return { ...self, hasReports: true, teamIds: await teamsManagedBy(session, organisationId, personId) };
    case 'Squad Lead':
      return { ...self, leadsSquads: true };
    case 'Engineer':
      return self;
  }
}

/** The teams that a person manages, and those of someone who has since been merged into them. */
async function teamsManagedBy(session: Reading, organisationId: string, personId: string): Promise<string[]> {
  const rows = await session.rows<{ readonly team_id: string }>(
    `SELECT DISTINCT m.team_id FROM team_managers m
     JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
     WHERE m.organisation_id = $1 AND p.effective_id = $2 ORDER BY m.team_id`,
    [organisationId, personId],
  );
  return rows.map(({ team_id }) => team_id);
}
