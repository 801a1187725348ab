export interface Membership {
  readonly teamId: string;
  readonly personId: string;
}

interface MembershipState {
  /** What the host says now. */
  readonly wanted: readonly Membership[];
  /** Whether the membership exists, made by hand or by a source. */
  readonly isThere: (membership: Membership) => boolean;
  /** What this source brought from this host before. */
  readonly brought: readonly Membership[];
  readonly isBroughtByOthers: (membership: Membership) => boolean;
}

export interface MembershipChange {
  readonly added: readonly Membership[];
  readonly removed: readonly Membership[];
  /** What this source brings from now on beside what it brought, and what no longer. */
  readonly nowBrought: readonly Membership[];
  readonly noLongerBrought: readonly Membership[];
}

/**
 * What a source may do to memberships: add what the host says, and take away again what it alone brought. One that was
 * there before, and that no source brought, was made by hand: it is left alone.
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
