import { closedSpan } from '../../calendar.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';

/** The times in the record of a pull request. */
export interface PullRequestTimes {
  readonly author: RecordAuthor;
  readonly createdAt: number | null;
  /** First time ready for review; null unless it was opened as a draft. */
  readonly readyAt: number | null;
  readonly mergedAt: number | null;
  /** Last entry to the merge queue. */
  readonly queuedAt: number | null;
  readonly given: {
    readonly firstCommitAt: number | null;
    readonly lastCommitAt: number | null;
    readonly firstReviewAt: number | null;
    readonly firstCommentAt: number | null;
  };
}

/** The times that one step derives, and the times of the record that it needs. */
type SomeTimes<K extends keyof PullRequestTimes, G extends keyof PullRequestTimes['given']> = Pick<
  PullRequestTimes,
  K
> & {
  readonly given: Pick<PullRequestTimes['given'], G>;
};

export interface ReviewMade {
  readonly by: RecordAuthor;
  readonly at: number | null;
}

export interface CommentMade {
  readonly by: RecordAuthor;
  readonly at: number | null;
}

export interface CommitMade {
  readonly by: RecordAuthor;
  readonly authoredAt: number | null;
  readonly committedAt: number | null;
}

type CommitTimes = Pick<PullRequestRow, 'first_commit_at' | 'last_commit_at' | 'commits_count'>;

/** Derives the times that follow from commits. The order of parts does not matter, here and below. */
export function deriveCommits(
  pr: SomeTimes<'author', 'firstCommitAt' | 'lastCommitAt'>,
  commits: readonly CommitMade[],
): CommitTimes {
  const written = new Moments();
  const pushed = new Moments();
  for (const commit of commits) {
    // A bot's commit starts no clock. On its own pull request there is none to start, and the dates are worth knowing.
    const counts = !commit.by.isBot || pr.author.isBot;
    written.add(counts, authorDate(commit));
    pushed.add(counts, committerDate(commit));
  }
  return {
    first_commit_at: written.firstOr(pr.given.firstCommitAt),
    last_commit_at: pushed.lastOr(pr.given.lastCommitAt),
    commits_count: commits.length,
  };
}

type ReviewedTimes = SomeTimes<
  'author' | 'createdAt' | 'readyAt' | 'mergedAt' | 'queuedAt',
  'lastCommitAt' | 'firstReviewAt'
>;

type ReviewTimes = Clocks &
  Pick<
    PullRequestRow,
    'opened_at' | 'first_review_at' | 'review_rounds' | 'review_rounds_bucket' | 'reviews_count' | 'reviewers_count'
  >;

/**
 * Derives the times that follow from reviews and from the commits around them. It runs for every pull request of an
 * organisation when its history is derived again, so each list is gone through once and little is built on the way.
 */
export function deriveReviews(
  pr: ReviewedTimes,
  reviews: readonly ReviewMade[],
  commits: readonly CommitMade[],
): ReviewTimes {
  const reviewed = new Moments();
  const reviewTimes: number[] = [];
  // Reviewers whose names are gone cannot be distinguished: together they were one at least.
  const reviewers = new Set<string | null>();
  for (const { by, at } of reviews) {
    const counts = isSomebodyElse(by, pr.author);
    reviewed.add(counts, at);
    if (!counts) continue;
    reviewers.add(by.actor);
    if (at !== null) reviewTimes.push(at);
  }
  const opened_at = pr.readyAt ?? pr.createdAt;
  const first_review_at = reviewed.firstOr(pr.given.firstReviewAt);
  const pushes = pushesOf(pr.given.lastCommitAt, commits);
  const review_rounds = countRounds(reviewTimes, pushes, pr.mergedAt);
  return {
    opened_at,
    first_review_at,
    ...(pr.author.isBot ? noClocks : clocksOf(pr, { opened_at, first_review_at }, pushes)),
    review_rounds,
    review_rounds_bucket: review_rounds > 2 ? '3+' : String(review_rounds),
    reviews_count: reviewed.counting,
    reviewers_count: reviewers.size,
  };
}

type CommentTimes = Pick<PullRequestRow, 'first_comment_at' | 'time_to_first_comment' | 'comments_count'>;

/** Derives the times that follow from comments, once the first review is known. */
export function deriveComments(
  pr: SomeTimes<'author' | 'createdAt', 'firstCommentAt'> & { readonly firstReviewAt: number | null },
  comments: readonly CommentMade[],
): CommentTimes {
  const commented = new Moments();
  let comments_count = 0;
  for (const { by, at } of comments) {
    commented.add(isSomebodyElse(by, pr.author), at);
    if (!by.isBot) comments_count += 1;
  }
  // A review is a comment as well, also one that only the record knows of.
  const first_comment_at = earlier(commented.firstOr(pr.given.firstCommentAt), pr.firstReviewAt);
  const time_to_first_comment = pr.author.isBot ? null : closedSpan(pr.createdAt, first_comment_at);
  return { first_comment_at, time_to_first_comment, comments_count };
}

type Clocks = Pick<PullRequestRow, 'pickup_time' | 'review_time' | 'rework_time' | 'queue_time' | 'is_reworked'>;

/** Waiting for a bot, and a bot's waiting, do not count. */
const noClocks: Clocks = {
  pickup_time: null,
  review_time: null,
  rework_time: null,
  queue_time: null,
  is_reworked: null,
};

/**
 * A first review that came after the merge still ends the wait for a review: picking it up took that long. Reviewing up
 * to the merge then took no time, and there was nothing left to rework.
 */
function clocksOf(
  pr: ReviewedTimes,
  { opened_at, first_review_at }: Pick<ReviewTimes, 'opened_at' | 'first_review_at'>,
  pushes: readonly number[],
): Clocks {
  const reworkedAt = first_review_at === null ? null : lastPush(pushes, first_review_at, pr.mergedAt);
  return {
    pickup_time: closedSpan(opened_at, first_review_at),
    review_time: closedSpan(first_review_at, pr.mergedAt),
    rework_time: closedSpan(first_review_at, reworkedAt ?? first_review_at),
    queue_time: closedSpan(pr.queuedAt, pr.mergedAt),
    is_reworked: first_review_at === null ? null : reworkedAt !== null,
  };
}

/** The last one after a review and up to the merge. One in the same second as the review did not come after it. */
function lastPush(pushes: readonly number[], reviewedAt: number, mergedAt: number | null): number | null {
  let last: number | null = null;
  for (const at of pushes) {
    if (at > (last ?? reviewedAt) && isUpToMerge(at, mergedAt)) last = at;
  }
  return last;
}

/**
 * Times that reviews were followed by new commits of people, or by the merge. Reviews with the same answer are one
 * round, and a commit in the same second as a review does not answer it.
 */
function countRounds(reviewTimes: readonly number[], pushes: readonly number[], mergedAt: number | null): number {
  if (reviewTimes.length === 0) return 0;
  const answers = pushes.toSorted(ascending);
  let next = 0;
  let rounds = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  for (const at of reviewTimes.filter((time) => isUpToMerge(time, mergedAt)).sort(ascending)) {
    if (at < answeredAt) continue;
    while ((answers[next] ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const answer = answers[next];
    // A trailing review that nothing follows is no round, nor is any after it.
    if (answer === undefined && mergedAt === null) break;
    rounds += 1;
    answeredAt = answer ?? Number.POSITIVE_INFINITY;
  }
  return rounds;
}

const ascending = (a: number, b: number): number => a - b;

/** When people pushed to it. Where no commit is known, only the last one that the record gives. */
function pushesOf(givenLast: number | null, commits: readonly CommitMade[]): number[] {
  const pushes: number[] = [];
  let areBots = commits.length > 0;
  for (const commit of commits) {
    if (commit.by.isBot) continue;
    areBots = false;
    const at = committerDate(commit);
    if (at !== null) pushes.push(at);
  }
  if (pushes.length === 0 && !areBots && givenLast !== null) pushes.push(givenLast);
  return pushes;
}

/** Sources that keep only one of the two dates of a commit are taken to mean both. */
const authorDate = ({ authoredAt, committedAt }: CommitMade): number | null => authoredAt ?? committedAt;
const committerDate = ({ authoredAt, committedAt }: CommitMade): number | null => committedAt ?? authoredAt;

/**
 * Times are cut to whole seconds, and merging on approval follows the review within the second: what happened in the
 * second of the merge led to it.
 */
const isUpToMerge = (at: number, mergedAt: number | null): boolean => mergedAt === null || at <= mergedAt;

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The time of an event, by the rows that record it. */
export class Moments {
  rows = 0;
  /** Rows of the kind that is looked for, such as reviews by somebody else. */
  counting = 0;
  #first: number | null = null;
  #last: number | null = null;

  add(counts: boolean, at: number | null): void {
    this.rows += 1;
    if (!counts) return;
    this.counting += 1;
    if (at === null) return;
    if (this.#first === null || at < this.#first) this.#first = at;
    if (this.#last === null || at > this.#last) this.#last = at;
  }

  /**
   * Rows beat what the record gives, also when they say that it never happened: the only reviews are the author's own,
   * so there was no first review, whatever the record says. The record is believed where there are no rows, and where
   * those that count have no time.
   */
  firstOr(given: number | null): number | null {
    return this.#areNone ? null : (this.#first ?? given);
  }

  lastOr(given: number | null): number | null {
    return this.#areNone ? null : (this.#last ?? given);
  }

  get #areNone(): boolean {
    return this.rows > 0 && this.counting === 0;
  }
}

/** The person behind an event of a pull request. */
export interface RecordAuthor {
  /** The person, or else the unknown account; null when the source does not say who it was. */
  readonly actor: string | null;
  readonly isBot: boolean;
}

/**
 * Whether a person other than the author did it. Code hosts blank out the name of a deleted account: that was somebody,
 * and an author who left would have lost the name on the pull request too.
 */
export function isSomebodyElse(by: RecordAuthor, author: RecordAuthor): boolean {
  return !by.isBot && (by.actor === null || by.actor !== author.actor);
}
