import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type {
  CommentMade,
  CommitMade,
  PullRequestTimes,
  RecordAuthor,
  ReviewMade,
} from '../../../src/ingest/derive/pull-request-timings.ts';
import { recordedDataFolder } from '../../setup/recorded-data.ts';
import { type Timings, timingsOf } from './some-pull-request-timings.ts';

/** The parts of GitHub's own answers that tell what happened to a pull request. */
interface RecordedPullRequest {
  readonly pull: {
    readonly number: number;
    readonly user?: HostAccount;
    readonly created_at: string;
    readonly merged_at?: string;
  };
  readonly events: readonly TimelineEvent[];
  /** Comments on lines; those in the conversation are in the timeline. */
  readonly comments: readonly { readonly user?: HostAccount; readonly created_at: string }[];
}
type HostAccount = { readonly login: string } | null;
interface TimelineEvent {
  readonly event: string;
  readonly user?: HostAccount;
  readonly created_at?: string | null;
  readonly submitted_at?: string;
  readonly author?: { readonly email: string; readonly date: string };
  readonly committer?: { readonly email: string; readonly date: string };
}

/** One line of the table that was worked out from the same payloads by other means. */
type RecordedTruth = Readonly<
  Record<
    | 'pr_number'
    | 'created_at'
    | 'merged_at'
    | 'ready_for_review_at'
    | 'first_commit_authored_at'
    | 'commits_in_timeline'
    | 'reviews_non_author_non_bot'
    | 'reviewers'
    | 'first_review_at'
    | 'issue_comments_all'
    | 'issue_comments_non_author_non_bot'
    | 'review_comments_all'
    | 'review_comments_non_author_non_bot'
    | 'first_comment_at',
    string
  >
>;

/** GitHub calls this one a user; its project marks it as a bot, as an organisation would in its directory. */
const botLogins = new Set(['DrahtBot']);
const authorOf = (account: HostAccount | undefined): RecordAuthor => ({
  actor: account?.login ?? null,
  isBot: botLogins.has(account?.login ?? ''),
});
const seconds = (iso: string | null | undefined): number | null => (iso ? Date.parse(iso) / 1_000 : null);

interface RecordedParts {
  readonly pr: PullRequestTimes;
  readonly reviews: readonly ReviewMade[];
  readonly comments: readonly CommentMade[];
  readonly commits: readonly CommitMade[];
}

/** What was turned into a draft before it first became ready was not opened as one. */
const openedAsDraft = (events: readonly TimelineEvent[]): boolean =>
  events.find(({ event }) => ['ready_for_review', 'convert_to_draft'].includes(event))?.event === 'ready_for_review';

function partsOf({ pull, events, comments }: RecordedPullRequest): RecordedParts {
  const of = (kind: string) => events.filter(({ event }) => event === kind);
  const commented = [...of('commented'), ...comments];
  return {
    pr: {
      author: authorOf(pull.user),
      createdAt: seconds(pull.created_at),
      readyAt: openedAsDraft(events) ? seconds(of('ready_for_review')[0]?.created_at) : null,
      mergedAt: seconds(pull.merged_at),
      queuedAt: null,
      given: { firstCommitAt: null, lastCommitAt: null, firstReviewAt: null, firstCommentAt: null },
    },
    reviews: of('reviewed').map(({ user, submitted_at }) => ({ by: authorOf(user), at: seconds(submitted_at) })),
    comments: commented.map(({ user, created_at }) => ({ by: authorOf(user), at: seconds(created_at) })),
    commits: of('committed').map(({ author, committer }) => ({
      by: { actor: committer?.email ?? null, isBot: false },
      authoredAt: seconds(author?.date),
      committedAt: seconds(committer?.date),
    })),
  };
}

const folder = join(recordedDataFolder, 'github-bitcoin');

describe.skipIf(!existsSync(folder))('the recorded pull requests of bitcoin/bitcoin, first quarter of 2023', () => {
  const read = () => {
    const payloads = gunzipSync(readFileSync(join(folder, 'pulls_2023q1.ndjson.gz')))
      .toString()
      .trim()
      .split('\n');
    const truths: RecordedTruth[] = parse(readFileSync(join(folder, 'truth_pulls_2023q1.csv')), { columns: true });
    const byNumber = new Map(truths.map((truth) => [Number(truth.pr_number), truth]));
    return payloads.map((line) => {
      const payload: RecordedPullRequest = JSON.parse(line);
      const truth = byNumber.get(payload.pull.number);
      if (!truth) throw new Error(`the truth knows nothing of pull request ${payload.pull.number}`);
      return { parts: partsOf(payload), truth };
    });
  };
  const recorded = existsSync(folder) ? read() : [];

  const derive = ({ pr, reviews, comments, commits }: RecordedParts) => timingsOf(pr, reviews, comments, commits);
  /** As the truth was made: what an account that is gone has said is passed over. */
  const withoutTheGone = ({ pr, reviews, comments, commits }: RecordedParts): RecordedParts => ({
    pr,
    reviews: reviews.filter(({ by }) => by.actor !== null),
    comments: comments.filter(({ by }) => by.actor !== null),
    commits,
  });

  const expected = {
    first_commit_at: (truth: RecordedTruth) => seconds(truth.first_commit_authored_at),
    commits_count: (truth: RecordedTruth) => Number(truth.commits_in_timeline),
    reviews_count: (truth: RecordedTruth) => Number(truth.reviews_non_author_non_bot),
    reviewers_count: (truth: RecordedTruth) => Number(truth.reviewers),
    first_review_at: (truth: RecordedTruth) => seconds(truth.first_review_at),
    first_comment_at: (truth: RecordedTruth) => seconds(truth.first_comment_at),
  } satisfies Partial<Record<keyof Timings, (truth: RecordedTruth) => number | null>>;
  type DerivedColumn = keyof typeof expected;
  const columns = Object.keys(expected) as DerivedColumn[];

  const differing = (column: DerivedColumn, change: (parts: RecordedParts) => RecordedParts) =>
    recorded.filter(({ parts, truth }) => derive(change(parts))[column] !== expected[column](truth));

  test('Are all there', () => {
    expect(recorded).toHaveLength(384);
  });

  test('Agree in everything with the table that was worked out from them, but for what it takes for a first comment', () => {
    const differences = Object.fromEntries(columns.map((column) => [column, differing(column, withoutTheGone).length]));
    expect(differences).toEqual({
      first_commit_at: 0,
      commits_count: 0,
      reviews_count: 0,
      reviewers_count: 0,
      first_review_at: 0,
      // There a review is no comment. Ours is the earlier of the two.
      first_comment_at: 82,
    });
  });

  test('Have the earlier of first comment and first review as first comment, wherever the table has another', () => {
    for (const { parts, truth } of recorded) {
      const known = [seconds(truth.first_comment_at), seconds(truth.first_review_at)].flatMap((at) => at ?? []);
      expect(derive(withoutTheGone(parts)).first_comment_at).toBe(known.length === 0 ? null : Math.min(...known));
    }
  });

  test('Were also reviewed and commented on by people whose accounts are gone: somebody else, whoever it was', () => {
    const differences = Object.fromEntries(
      columns.map((column) => [column, differing(column, (parts) => parts).length]),
    );
    const reviewsOfTheGone = recorded.flatMap(({ parts }) => parts.reviews.filter(({ by }) => by.actor === null));
    expect(reviewsOfTheGone).toHaveLength(15);
    expect(differences).toEqual({
      first_commit_at: 0,
      commits_count: 0,
      reviews_count: 11,
      reviewers_count: 11,
      first_review_at: 3,
      first_comment_at: 83,
    });
  });

  test('Have as many comments as were written, the author’s included and the bot’s not', () => {
    let [written, ofBots] = [0, 0];
    for (const { parts, truth } of recorded) {
      const all = Number(truth.issue_comments_all) + Number(truth.review_comments_all);
      expect(parts.comments).toHaveLength(all);
      written += all;
      ofBots += all - (derive(parts).comments_count ?? 0);

      const byOthers =
        Number(truth.issue_comments_non_author_non_bot) + Number(truth.review_comments_non_author_non_bot);
      const others = withoutTheGone(parts).comments.filter(({ by }) => by.actor !== parts.pr.author.actor);
      expect(derive({ ...parts, comments: others }).comments_count).toBe(byOthers);
    }
    expect([written, ofBots]).toEqual([6_312, 474]);
  });

  test('Run their clocks between the times of the table, and none backwards', () => {
    const span = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);
    let [drafts, backwards] = [0, 0];
    for (const { parts, truth } of recorded) {
      if (parts.pr.readyAt !== null) expect(seconds(truth.ready_for_review_at)).toBe(parts.pr.readyAt);
      const opened = parts.pr.readyAt ?? seconds(truth.created_at);
      const [written, reviewed] = [seconds(truth.first_commit_authored_at), seconds(truth.first_review_at)];
      const merged = seconds(truth.merged_at);
      const raw = {
        coding_time: span(written, opened),
        pickup_time: span(opened, reviewed),
        review_time: span(reviewed, merged),
        cycle_time: span(written, merged),
      };
      const clamped = Object.entries(raw).map(([name, value]) => [name, value === null ? null : Math.max(0, value)]);
      expect(derive(withoutTheGone(parts))).toMatchObject(Object.fromEntries(clamped));
      if (parts.pr.readyAt !== null) drafts += 1;
      if ((raw.coding_time ?? 0) < 0) backwards += 1;
    }
    // Rebasing with new author dates puts the first commit after the opening in one of seven.
    expect([drafts, backwards]).toEqual([42, 56]);
  });
});
