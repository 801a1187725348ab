import { listGroups, teamKind } from '../store/groups.ts';
import type { Reading } from '../store/store.ts';
import type { Principal } from './principal.ts';
import { visibilityNameOf } from './visibility.ts';

/** What somebody sees, where it is not everything. */
export interface VisibilityNotice {
  readonly visibility: ReturnType<typeof visibilityNameOf>;
  /** Of a restricted Manager: how many of the organisation's teams. */
  readonly teams: { readonly seen: number; readonly all: number } | null;
  /** The same in a sentence; null for those who see everything. */
  readonly words: string | null;
}

export async function visibilityNoticeOf(
  session: Reading,
  principal: Pick<Principal, 'organisationId' | 'role' | 'visibility'>,
): Promise<VisibilityNotice> {
  const visibility = visibilityNameOf(principal);
  const { visibility: seen, organisationId } = principal;
  if (visibility !== 'teams' || seen === 'organisation') return { visibility, teams: null, words: words[visibility] };
  const all = (await listGroups(session, teamKind, organisationId)).map(({ id }) => id);
  const teams = { seen: all.filter((id) => seen.teamIds.includes(id)).length, all: all.length };
  const ofTeams = `You're seeing ${teams.seen} of ${teams.all} teams. Totals cover these.`;
  return { visibility, teams, words: teams.seen === 0 ? ofReports : ofTeams };
}

/** Of a Manager with no team, who still sees those who report to them. */
const ofReports = "You're seeing the people who report to you, and your own work.";

const words = {
  organisation: null,
  teams: null,
  squads: "You're seeing the squads you lead.",
  self: "You're seeing your own work.",
} as const;
