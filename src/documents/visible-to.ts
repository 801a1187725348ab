import type { Principal } from '../access/principal.ts';
import { Refusal } from '../refusal.ts';
import type { TeamsOfReader } from './teams-of-reader.ts';

/** Who sees a document beside its owner and the Owners of the organisation. */
export type VisibleTo = 'organisation' | 'me' | { readonly teamIds: readonly string[] };

/** The field `visible_to` of a document as it is stored. */
export type StoredVisibleTo = 'organisation' | 'me' | { readonly team: string };

const form = 'visible_to must be organisation, me or {team: NAME}';

/** `known` are identifiers that stand in the document already: their teams may have been removed since. */
export function readVisibleTo(
  written: unknown,
  teams: TeamsOfReader,
  known: ReadonlySet<string> = new Set(),
): StoredVisibleTo {
  if (written === 'organisation' || written === 'me') return written;
  const fields = typeof written === 'object' && written !== null && !Array.isArray(written) ? written : undefined;
  const [[name, team] = [], ...others] = Object.entries(fields ?? {});
  if (name !== 'team' || others.length > 0) throw new Refusal('bad-input', `${form}.`);
  if (typeof team !== 'string') throw new Refusal('bad-input', `${form}: the name or the identifier of a team.`);
  const ids = teams.idsNamed(team);
  if (ids.length > 1) {
    const all = ids.join(', ');
    throw new Refusal('bad-input', `visible_to: ${ids.length} teams are called '${team}'. Use an identifier: ${all}.`);
  }
  const [id = known.has(team) ? team : undefined] = ids;
  if (id === undefined) throw new Refusal('bad-input', `visible_to: ${teams.unknown(team)}`);
  return { team: id };
}

export const shownVisibleTo = (visibleTo: StoredVisibleTo, teams: TeamsOfReader): StoredVisibleTo =>
  typeof visibleTo === 'string' ? visibleTo : { team: teams.shown(visibleTo.team) };

/** The readers of a document whose field `visible_to` is this. Without one, it is its owner's. */
export const readersOf = (visibleTo: StoredVisibleTo | undefined): VisibleTo => {
  if (visibleTo === undefined) return 'me';
  return typeof visibleTo === 'string' ? visibleTo : { teamIds: [visibleTo.team] };
};

/** Whether somebody sees a document of another. A team's is seen by its members and by those who see the team. */
export function mayRead({ role }: Principal, teams: TeamsOfReader, visibleTo: VisibleTo): boolean {
  if (role === 'Owner' || visibleTo === 'organisation') return true;
  return visibleTo !== 'me' && visibleTo.teamIds.some((id) => teams.isSeen(id));
}

/** What the whole organisation or a team sees comes from Managers and Owners. Squad Leads and Engineers have their own. */
export function refuseUnlessManager({ role }: Principal, visibleTo: VisibleTo, plural: string): void {
  if (visibleTo === 'me' || role === 'Owner' || role === 'Manager') return;
  const others = visibleTo === 'organisation' ? 'the organisation' : 'a team';
  throw new Refusal(
    'forbidden',
    `Only Managers and Owners make ${plural} that ${others} can see. You have the role ${role}: use visible_to: me.`,
  );
}
