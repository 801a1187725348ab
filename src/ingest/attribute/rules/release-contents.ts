import { firstIndexWhere } from '../../../binary-search.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { TimeSpan } from '../spans.ts';
import { compareOrder, type OrderedDeployment } from './deployment-contents.ts';

export const releaseContentsColumns = [
  'contents_after',
  'contents_until',
  'prs_included',
] as const satisfies readonly (keyof ReleaseRow)[];
export type ReleaseContents = Pick<ReleaseRow, (typeof releaseContentsColumns)[number]>;

export const noContents: ReleaseContents = { contents_after: null, contents_until: null, prs_included: null };

type DatedRelease = Pick<ReleaseRow, 'release_id' | 'release_date' | 'is_prerelease'>;

/** Releases before those that are looked at. */
export interface EarlierReleases {
  /** When the last full one was published, or the first of any kind where there was none. */
  readonly lastFull?: number | undefined;
  /** When the last of any kind was. */
  readonly lastRelease?: number | undefined;
}

/**
 * What each release brought, given when pull requests reached the production branch. A full release brings everything
 * since the full release before it, whatever prereleases already had of it; a prerelease brings what came since the last
 * release of any kind. What the first known release brought is unknown, as with the first deployment, so the first full
 * release after prereleases begins where those begin. An unpublished release holds nothing yet.
 */
export function releaseContents(
  releases: readonly DatedRelease[],
  arrivals: readonly ({ readonly at: number } | undefined)[],
  earlier: EarlierReleases,
): Map<string, ReleaseContents> {
  const contents = new Map<string, ReleaseContents>();
  if (releases.length === 0) return contents;
  const times = Float64Array.from(arrivals.flatMap((arrival) => arrival?.at ?? [])).sort();
  const published: (OrderedDeployment & { readonly isPrerelease: boolean })[] = [];
  for (const { release_id: id, release_date: at, is_prerelease } of releases) {
    if (id === null) continue;
    contents.set(id, noContents);
    if (at !== null) published.push({ id, at, isPrerelease: is_prerelease === true });
  }
  let { lastRelease: lastOfAny, lastFull } = earlier;
  for (const { id, at, isPrerelease } of published.sort(compareOrder)) {
    lastOfAny ??= at;
    lastFull ??= at;
    const after = isPrerelease ? lastOfAny : lastFull;
    const prs_included = Math.max(0, countThrough(times, at) - countThrough(times, after));
    contents.set(id, { contents_after: after, contents_until: at, prs_included });
    lastOfAny = at;
    if (!isPrerelease) lastFull = at;
  }
  return contents;
}

/** The releases that a pull request is in. */
export type PullRequestReleases = Pick<PullRequestRow, 'release_id' | 'prerelease_id'>;

/**
 * Finds the releases that hold what reached the production branch at a time: at most one full one and one prerelease. What
 * earlier releases hold, or might have held, stays.
 */
export function releasesAt(
  releases: readonly DatedRelease[],
  contents: ReadonlyMap<string, ReleaseContents>,
  { lastFull = Number.NEGATIVE_INFINITY, lastRelease = Number.NEGATIVE_INFINITY }: EarlierReleases,
  { until }: TimeSpan,
): (time: number | undefined, stored: PullRequestReleases) => PullRequestReleases {
  const [full, early]: [ReleaseSpan[], ReleaseSpan[]] = [[], []];
  for (const { release_id: id, is_prerelease } of releases) {
    const held = contents.get(id ?? '');
    const [after, until] = [held?.contents_after ?? null, held?.contents_until ?? null];
    // The first of a repository, and the second of two at the same time, hold nothing.
    if (id === null || after === null || until === null || after >= until) continue;
    (is_prerelease === true ? early : full).push({ id, after, until });
  }
  const inOrder = (spans: ReleaseSpan[]) => spans.sort((a, b) => a.until - b.until);
  const [fullSpans, earlySpans] = [inOrder(full), inOrder(early)];
  // What a release after the span holds it still does.
  const later = (id: string | null) => (until === Number.POSITIVE_INFINITY || contents.has(id ?? '') ? null : id);
  return (time, stored) => ({
    release_id:
      time !== undefined && time <= lastFull
        ? stored.release_id
        : (spanAt(fullSpans, time) ?? later(stored.release_id)),
    prerelease_id:
      time !== undefined && time <= lastRelease
        ? stored.prerelease_id
        : (spanAt(earlySpans, time) ?? later(stored.prerelease_id)),
  });
}

interface ReleaseSpan {
  readonly id: string;
  readonly after: number;
  readonly until: number;
}

/** The one of these spans, none of which overlap, that a time is in. */
function spanAt(spans: readonly ReleaseSpan[], time: number | undefined): string | null {
  if (time === undefined) return null;
  const span = spans[firstIndexWhere(0, spans.length, (i) => (spans[i] as ReleaseSpan).until >= time)];
  return span && span.after < time ? span.id : null;
}

/** How many of these sorted times are at or before a time. */
function countThrough(times: Float64Array, time: number): number {
  return firstIndexWhere(0, times.length, (i) => (times[i] as number) > time);
}
