/**
 * What a stream could not see, however often it is read: numbers of it are too small, or begin late. What fails is an
 * error instead, and what a record does not say is null.
 */
export interface NotSeen {
  /**
   * - `window`: settings or the provider's default leave out what is older, or elsewhere.
   * - `right`: the token may not see it.
   * - `hidden`: the provider shows it to nobody who asks like this.
   * - `cut`: the provider ends a list before its end.
   * - `retention`: the provider does not keep it any longer.
   */
  readonly why: NotSeenReason;
  /** What is missing, as a sentence without its full stop, and without days that move: "Commits of a pull request behind its first 250 are not read". */
  readonly what: string;
  /** History begins at this moment, in seconds since 1970. */
  readonly since?: number;
  /** What an Owner can do about it, where there is something. */
  readonly toDo?: string;
}

export const notSeenReasons = ['window', 'right', 'hidden', 'cut', 'retention'] as const;
type NotSeenReason = (typeof notSeenReasons)[number];

/** A stream says a few things. More of them would be a list of items, which belongs to no statement. */
const maxStatements = 20;

/** Statements of several pages, each once. Where history begins, the earliest moment counts: that far something was read. */
export function joinNotSeen(...lists: readonly (readonly NotSeen[])[]): readonly NotSeen[] {
  const joined = new Map<string, NotSeen>();
  for (const one of lists.flat()) {
    const key = `${one.why} ${one.what}`;
    const { since = one.since } = joined.get(key) ?? {};
    const earliest = since === undefined || one.since === undefined ? since : Math.min(since, one.since);
    joined.set(key, { ...one, ...(earliest !== undefined && { since: earliest }) });
  }
  return [...joined.values()].slice(0, maxStatements);
}

/** What the setting `since` leaves out. */
export const beforeSince = (since: number | undefined): readonly NotSeen[] =>
  since === undefined ? [] : [{ why: 'window', what: 'The setting since leaves out what is older', since }];
