import {
  listSourceMemberships,
  listSourcePeople,
  type SourceOwner,
  type SourcePersonRow,
} from '../../store/source-people-rows.ts';
import type { OrganisationWriting } from '../../store/store.ts';
import { keyOf } from '../../text-comparison.ts';
import type { CodeHost } from './code-host.ts';

/** The known state of an organisation on a code host before it is read again. */
export interface HostState {
  readonly owner: SourceOwner;
  /** The accounts of the organisation by login key, those included that have left. */
  readonly accounts: ReadonlyMap<string, SourcePersonRow>;
  /** Login keys whose link somebody has undone, whichever source listed them. */
  readonly unlinked: ReadonlySet<string>;
  /** Memberships that this source brought from it. */
  readonly brought: readonly Membership[];
  readonly isBroughtByOthers: (membership: Membership) => boolean;
  /** Whether another source lists the members of the organisation now. */
  readonly isListedByOthers: boolean;
}

export async function readHostState(
  session: OrganisationWriting,
  { sourceId, host }: CodeHost,
  owner: string,
): Promise<HostState> {
  const ownerKey = keyOf(owner);
  const isOwn = (row: { readonly source_id: string; readonly owner_key: string }) =>
    row.source_id === sourceId && row.owner_key === ownerKey;
  const accounts = await listSourcePeople(session, session.organisationId);
  const [brought, others]: [Membership[], Set<string>] = [[], new Set()];
  for (const row of await listSourceMemberships(session, session.organisationId)) {
    const membership = { teamId: row.team_id, personId: row.person_id };
    if (isOwn(row)) brought.push(membership);
    else others.add(keyOfMembership(membership));
  }
  return {
    owner: { sourceId, ownerKey },
    accounts: new Map(accounts.filter(isOwn).map((row) => [row.login_key, row])),
    unlinked: new Set(accounts.flatMap((row) => (row.is_unlinked && row.host === host ? [row.login_key] : []))),
    brought,
    isBroughtByOthers: (membership) => others.has(keyOfMembership(membership)),
    isListedByOthers: accounts.some(
      (row) => row.source_id !== sourceId && row.host === host && row.owner_key === ownerKey && row.left_at === null,
    ),
  };
}

export interface Membership {
  readonly teamId: string;
  readonly personId: string;
}

interface MembershipState {
  /** The memberships that the host names now. */
  readonly wanted: readonly Membership[];
  /** Whether the membership exists, made by hand or by a source. */
  readonly isThere: (membership: Membership) => boolean;
  /** The memberships that this source brought from this host before. */
  readonly brought: readonly Membership[];
  readonly isBroughtByOthers: (membership: Membership) => boolean;
}

export interface MembershipChange {
  readonly added: readonly Membership[];
  readonly removed: readonly Membership[];
  /** The memberships that this source adds now, and those that it no longer brings. */
  readonly nowBrought: readonly Membership[];
  readonly noLongerBrought: readonly Membership[];
}

/**
 * A source may add the memberships that the host names, and take away again those that it alone brought. A membership
 * that was there before, and that no source brought, was made by hand: it is left alone.
 */
export function membershipChange({ wanted, isThere, brought, isBroughtByOthers }: MembershipState): MembershipChange {
  const before = new Map(brought.map((one) => [keyOfMembership(one), one]));
  const after = new Map(wanted.map((one) => [keyOfMembership(one), one]));
  const news = [...after].flatMap(([key, one]) => (before.has(key) ? [] : [one]));
  const gone = [...before].flatMap(([key, one]) => (after.has(key) ? [] : [one]));
  return {
    added: news.filter((one) => !isThere(one)),
    removed: gone.filter((one) => !isBroughtByOthers(one)),
    nowBrought: news.filter((one) => !isThere(one) || isBroughtByOthers(one)),
    noLongerBrought: gone,
  };
}

export const keyOfMembership = ({ teamId, personId }: Membership): string => JSON.stringify([teamId, personId]);
