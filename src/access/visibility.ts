import type { AccessRole } from '../catalogue/directory-records.ts';
import type { Reading } from '../store/store.ts';

/** Whose rows a caller may see: everyone's, or those of some people, named by their place in the directory. */
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

/** The same in one word, as answers say it: decided by the role, however many people there are to see. */
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

/** What a role sees now. A manager sees everything unless the organisation restricts managers to their teams. */
export async function visibilityOf(session: Reading, viewer: Viewer): Promise<Visibility> {
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

/** Also those that were given to someone who has since been merged into them. */
async function teamsManagedBy(session: Reading, organisationId: string, personId: string): Promise<string[]> {
  const rows = await session.rows<{ readonly team_id: string }>(
    `SELECT DISTINCT m.team_id FROM team_managers m
     JOIN people p ON p.organisation_id = m.organisation_id AND p.id = m.person_id
     WHERE m.organisation_id = $1 AND p.effective_id = $2 ORDER BY m.team_id`,
    [organisationId, personId],
  );
  return rows.map(({ team_id }) => team_id);
}
