import type { AccessRole, Permission } from '../catalogue/directory-records.ts';
import { Refusal } from '../refusal.ts';
import { listGroups, teamKind } from '../store/group-rows.ts';
import { isSample } from '../store/organisation-rows.ts';
import type { Reading, Store } from '../store/store.ts';
import { type Principal, visibilityNameOf } from './principal.ts';

/** The person who is signed in, with what every page needs to know about them and their organisation. */
export interface SignedInPerson {
  readonly person: { readonly id: string; readonly name: string; readonly email: string | null };
  readonly role: AccessRole;
  readonly permissions: readonly Permission[];
  readonly organisation: {
    readonly id: string;
    readonly name: string;
    readonly time_zone: string;
    readonly is_demo: boolean;
    readonly survey_minimum_group: number;
    readonly survey_privacy: string;
    readonly salary_visibility: boolean;
    readonly team_restrictions: boolean;
  };
  readonly owners: readonly ListedOwner[];
  readonly visibility_notice: VisibilityNotice;
}

/** The people to ask for more. */
interface ListedOwner {
  readonly name: string;
  readonly email: string | null;
}

const maxOwners = 5;

export function signedInPerson(store: Store, principal: Principal): Promise<SignedInPerson> {
  const { organisationId, personId, role, permissions } = principal;
  const read = async (session: Reading): Promise<SignedInPerson> => {
    const [organisation] = await session.rows<SignedInPerson['organisation']>(
      `SELECT o.id, o.name, o.time_zone, o.survey_minimum_group, coalesce(o.survey_privacy, 'role') AS survey_privacy,
              o.salary_visibility, o.team_restrictions, ${isSample} AS is_demo
       FROM organisations o WHERE o.id = $1`,
      [organisationId],
    );
    const [person] = await session.rows<SignedInPerson['person']>(
      'SELECT p.id, p.name, p.main_email AS email FROM people p WHERE p.organisation_id = $1 AND p.id = $2',
      [organisationId, personId],
    );
    if (!organisation || !person) throw new Refusal('unauthenticated', 'Your session has ended. Sign in again.');
    const owners = await ownersIn(session, organisationId);
    return {
      person,
      role,
      permissions,
      organisation,
      owners,
      visibility_notice: await visibilityNoticeOf(session, principal),
    };
  };
  return store.read(read, { organisationId });
}

/** Some Owners of an organisation, by name. */
function ownersIn(session: Reading, organisationId: string): Promise<ListedOwner[]> {
  return session.rows(
    `SELECT p.name, p.main_email AS email FROM people p
     WHERE p.organisation_id = $1 AND p.access_role = 'Owner' AND p.merged_into IS NULL
     ORDER BY p.name, p.id LIMIT ${maxOwners}`,
    [organisationId],
  );
}

/** The visibility of somebody who does not see everything. */
interface VisibilityNotice {
  readonly visibility: ReturnType<typeof visibilityNameOf>;
  /** For a restricted Manager: how many of the organisation's teams. */
  readonly teams: { readonly seen: number; readonly all: number } | null;
  /** A sentence about the visibility of somebody; null for people who see everything. */
  readonly words: string | null;
}

async function visibilityNoticeOf(
  session: Reading,
  principal: Pick<Principal, 'organisationId' | 'role' | 'visibility'>,
): Promise<VisibilityNotice> {
  const visibility = visibilityNameOf(principal);
  const { visibility: seen, organisationId } = principal;
  if (visibility !== 'teams' || seen === 'organisation') return { visibility, teams: null, words: words[visibility] };
  const all = (await listGroups(session, teamKind, organisationId)).map(({ id }) => id);
  const teams = { seen: all.filter((id) => seen.teamIds.includes(id)).length, all: all.length };
  const ofTeams = `You’re seeing ${teams.seen} of ${teams.all} teams. Totals cover these.`;
  return { visibility, teams, words: teams.seen === 0 ? ofReports : ofTeams };
}

/** For a Manager without teams, who still sees the people who report to them. */
const ofReports = 'You’re seeing the people who report to you, and your own work.';

const words = {
  organisation: null,
  teams: null,
  squads: 'You’re seeing the squads you lead.',
  self: 'You’re seeing your own work.',
} as const;
