import type { FieldValues } from '../../catalogue/field-values.ts';
import { secondsOf } from '../paging.ts';
import type { SourceRecords } from '../source.ts';

/** A pull request with all that belongs to it, as records. */
export interface PullRequestRecords {
  readonly pull: FieldValues & { readonly pr_id: string };
  readonly reviews: readonly FieldValues[];
  readonly comments: readonly FieldValues[];
  readonly events: readonly FieldValues[];
  readonly commits: readonly FieldValues[];
  /** More commits may be known than these: those stay, though they may be gone. */
  readonly areCommitsCut: boolean;
}

/** Children replace the set of their pull request, so that what was deleted or pushed away goes. */
export function recordsOfPullRequests(families: readonly PullRequestRecords[]): SourceRecords[] {
  const ids = families.map(({ pull }) => pull.pr_id);
  const whole = families.filter(({ areCommitsCut }) => !areCommitsCut).map(({ pull }) => pull.pr_id);
  const all = (part: 'reviews' | 'comments' | 'events' | 'commits') => families.flatMap((family) => family[part]);
  return [
    { table: 'pull_requests', records: families.map(({ pull }) => pull) },
    { table: 'pull_request_reviews', records: all('reviews'), wholeSetsOf: ids },
    { table: 'pull_request_comments', records: all('comments'), wholeSetsOf: ids },
    { table: 'pull_request_commits', records: all('commits'), wholeSetsOf: whole },
    { table: 'pull_request_events', records: all('events'), wholeSetsOf: ids },
  ];
}

/** Seconds within which comments of one person on lines of a change are one review. */
const reviewSeconds = 60;

/**
 * Of hosts that have no reviews: the first of the comments on lines that another person than the author wrote within a
 * minute, each of which stands for a review. Oldest first.
 */
export function lineReviews<
  T extends { readonly at: string; readonly login: string | null; readonly isOnLine: boolean },
>(comments: readonly T[], author: string | null): T[] {
  const began = new Map<string, number>();
  return comments.filter(({ at, login, isOnLine }) => {
    if (!isOnLine || login === null || login === author) return false;
    const isOfReview = secondsOf(at) - (began.get(login) ?? Number.NEGATIVE_INFINITY) <= reviewSeconds;
    if (!isOfReview) began.set(login, secondsOf(at));
    return !isOfReview;
  });
}
