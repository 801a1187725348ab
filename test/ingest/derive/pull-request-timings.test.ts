import { describe, expect, test } from 'vitest';
import type { PullRequestTimes } from '../../../src/ingest/derive/pull-request-timings.ts';
import {
  ada,
  bo,
  chidi,
  comment,
  commit,
  derive,
  gone,
  nothingGiven,
  type PartsMade,
  review,
  robot,
} from './some-pull-request-timings.ts';

describe('opened', () => {
  test('Opened is the creation', () => {
    expect(derive({})).toMatchObject({ opened_at: 1_000 });
  });

  test('Opened is the first time ready, for what was opened as a draft', () => {
    const parts = { commits: [commit(ada, 100)], reviews: [review(bo, 3_000)] };
    expect(derive({ readyAt: 2_000 }, parts)).toMatchObject({
      opened_at: 2_000,
      coding_time: 1_900,
      pickup_time: 1_000,
    });
  });

  test('Opened is the creation of a draft that never became ready', () => {
    const parts = { reviews: [review(bo, 3_000)] };
    expect(derive({ readyAt: null, mergedAt: null }, parts)).toMatchObject({ opened_at: 1_000, pickup_time: 2_000 });
  });

  test('Opened is before the review that a draft got, and then picking it up took no time', () => {
    expect(derive({ readyAt: 4_000 }, { reviews: [review(bo, 3_000)] })).toMatchObject({ pickup_time: 0 });
  });
});

describe('the clocks of a reviewed and merged pull request', () => {
  const parts = {
    commits: [commit(ada, 100), commit(ada, 5_000)],
    reviews: [review(bo, 3_000), review(chidi, 8_000)],
    comments: [comment(bo, 2_500)],
  };

  test('The clocks of a reviewed and merged pull request run between its events', () => {
    expect(derive({ queuedAt: 8_900 }, parts)).toEqual({
      opened_at: 1_000,
      first_commit_at: 100,
      last_commit_at: 5_000,
      first_review_at: 3_000,
      first_comment_at: 2_500,
      coding_time: 900,
      pickup_time: 2_000,
      review_time: 6_000,
      rework_time: 2_000,
      cycle_time: 8_900,
      time_to_first_comment: 1_500,
      queue_time: 100,
      is_reworked: true,
      review_rounds: 2,
      review_rounds_bucket: '2',
      reviews_count: 2,
      reviewers_count: 2,
      comments_count: 1,
      commits_count: 2,
    });
  });

  test('The clocks of a reviewed and merged pull request that need the merge stand still until it', () => {
    expect(derive({ mergedAt: null, queuedAt: 8_900 }, parts)).toMatchObject({
      coding_time: 900,
      pickup_time: 2_000,
      review_time: null,
      rework_time: 2_000,
      cycle_time: null,
      time_to_first_comment: 1_500,
      queue_time: null,
    });
  });

  test('The clocks of a reviewed and merged pull request are not there for a bot’s pull request, while everything is still counted', () => {
    expect(derive({ author: robot, queuedAt: 8_900 }, { ...parts, commits: [commit(robot, 100)] })).toMatchObject({
      coding_time: null,
      pickup_time: null,
      review_time: null,
      rework_time: null,
      cycle_time: null,
      time_to_first_comment: null,
      queue_time: null,
      is_reworked: null,
      first_commit_at: 100,
      first_review_at: 3_000,
      review_rounds: 1,
      reviews_count: 2,
      reviewers_count: 2,
      comments_count: 1,
      commits_count: 1,
    });
  });

  test('The clocks of a reviewed and merged pull request are nothing where times run backwards', () => {
    const backwards = { commits: [commit(ada, 20_000)], reviews: [review(bo, 500)], comments: [comment(bo, 400)] };
    expect(derive({ queuedAt: 9_001 }, backwards)).toMatchObject({
      coding_time: 0,
      pickup_time: 0,
      cycle_time: 0,
      time_to_first_comment: 0,
      queue_time: 0,
    });
  });

  test('The clocks of a reviewed and merged pull request are missing where the creation is', () => {
    expect(derive({ createdAt: null }, { reviews: parts.reviews })).toMatchObject({
      opened_at: null,
      coding_time: null,
      pickup_time: null,
      cycle_time: null,
      time_to_first_comment: null,
      review_time: 6_000,
    });
  });

  test('The clocks of a reviewed and merged pull request start the cycle at the creation when no commit is known', () => {
    expect(derive({})).toMatchObject({ first_commit_at: null, coding_time: null, cycle_time: 8_000 });
  });
});

describe('the first commit', () => {
  test('The first commit is the earliest author date, the last the latest committer date', () => {
    const commits = [commit(ada, 7_000, 300), commit(ada, 6_000, 200), commit(bo, 5_000, 900)];
    expect(derive({}, { commits })).toMatchObject({ first_commit_at: 200, last_commit_at: 7_000 });
  });

  test('The first commit is never a bot’s', () => {
    const commits = [commit(robot, 50), commit(ada, 100), commit(robot, 9_000)];
    expect(derive({}, { commits })).toMatchObject({ first_commit_at: 100, last_commit_at: 100, commits_count: 3 });
    expect(derive({ given: { ...nothingGiven, firstCommitAt: 70 } }, { commits: [commit(robot, 50)] })).toMatchObject({
      first_commit_at: null,
      cycle_time: 8_000,
    });
  });

  test('The first commit can have one date only, and then both are that', () => {
    const commits = [commit(ada, 700, null), { ...commit(ada, null), authoredAt: 800 }];
    expect(derive({}, { commits })).toMatchObject({ first_commit_at: 700, last_commit_at: 800 });
  });

  test('The first commit is what the record gives where no commit tells a date, and those are still counted', () => {
    const given = { ...nothingGiven, firstCommitAt: 60, lastCommitAt: 600 };
    expect(derive({ given })).toMatchObject({ first_commit_at: 60, last_commit_at: 600, commits_count: 0 });
    expect(derive({ given }, { commits: [commit(ada, null)] })).toMatchObject({
      first_commit_at: 60,
      last_commit_at: 600,
      commits_count: 1,
    });
  });

  test('The first commit follows from the commits when there are any, whatever the record gives', () => {
    const given = { ...nothingGiven, firstCommitAt: 60, lastCommitAt: 600 };
    expect(derive({ given }, { commits: [commit(ada, 100)] })).toMatchObject({
      first_commit_at: 100,
      last_commit_at: 100,
    });
  });
});

describe('the first review', () => {
  test('The first review is never the author’s or a bot’s', () => {
    const reviews = [review(ada, 1_500), review(robot, 1_600), review(bo, 3_000)];
    expect(derive({}, { reviews })).toMatchObject({
      first_review_at: 3_000,
      first_comment_at: 3_000,
      reviews_count: 1,
      reviewers_count: 1,
    });
  });

  test('The first review did not happen when all there is are reviews of the author and of bots, even if the record says so', () => {
    const given = { ...nothingGiven, firstReviewAt: 1_500 };
    expect(derive({ given }, { reviews: [review(ada, 1_500), review(robot, 1_600)] })).toMatchObject({
      first_review_at: null,
      first_comment_at: null,
      pickup_time: null,
      review_time: null,
      rework_time: null,
      is_reworked: null,
      time_to_first_comment: null,
      review_rounds: 0,
      review_rounds_bucket: '0',
      reviews_count: 0,
      reviewers_count: 0,
    });
  });

  test('The first review is what the record gives where there are no reviews, and runs the clocks', () => {
    const given = { ...nothingGiven, firstReviewAt: 3_000, lastCommitAt: 5_000 };
    expect(derive({ given })).toMatchObject({
      first_review_at: 3_000,
      pickup_time: 2_000,
      review_time: 6_000,
      rework_time: 2_000,
      is_reworked: true,
      reviews_count: 0,
    });
  });

  test('The first review is what the record gives where somebody else’s review has no time', () => {
    const given = { ...nothingGiven, firstReviewAt: 3_000 };
    const reviews = [review(ada, 1_500), review(bo, null)];
    expect(derive({ given }, { reviews })).toMatchObject({ first_review_at: 3_000, reviews_count: 1 });
  });

  test('The first review may be by somebody whose name is gone, and all such together are one reviewer', () => {
    const reviews = [review(gone, 2_000), review(gone, 3_000), review(bo, 4_000), review(bo, 4_100)];
    expect(derive({}, { reviews })).toMatchObject({ first_review_at: 2_000, reviews_count: 4, reviewers_count: 2 });
  });

  test('The first review ends the wait even after the merge, where it makes neither review time nor rework nor a round', () => {
    const parts = { reviews: [review(bo, 9_500)], commits: [commit(ada, 100), commit(ada, 9_800)] };
    expect(derive({}, parts)).toMatchObject({
      first_review_at: 9_500,
      pickup_time: 8_500,
      review_time: 0,
      rework_time: 0,
      is_reworked: false,
      review_rounds: 0,
      reviews_count: 1,
    });
  });
});

describe('the first comment', () => {
  test('The first comment is the first comment or review by somebody else', () => {
    const comments = [comment(ada, 1_100), comment(robot, 1_200), comment(bo, 4_000)];
    expect(derive({}, { comments })).toMatchObject({ first_comment_at: 4_000, comments_count: 2 });
    expect(derive({}, { comments, reviews: [review(chidi, 3_000)] })).toMatchObject({
      first_comment_at: 3_000,
      time_to_first_comment: 2_000,
    });
  });

  test('The first comment counts from the creation, also for a draft', () => {
    expect(derive({ readyAt: 2_000 }, { comments: [comment(bo, 4_000)] })).toMatchObject({
      time_to_first_comment: 3_000,
    });
  });

  test('The first comment is what the record gives only where there are no comments', () => {
    const given = { ...nothingGiven, firstCommentAt: 1_700 };
    expect(derive({ given })).toMatchObject({ first_comment_at: 1_700, time_to_first_comment: 700 });
    expect(derive({ given }, { comments: [comment(ada, 1_100)] })).toMatchObject({ first_comment_at: null });
    expect(derive({ given }, { reviews: [review(bo, 3_000)] })).toMatchObject({ first_comment_at: 1_700 });
    expect(derive({ given }, { reviews: [review(bo, 1_200)] })).toMatchObject({ first_comment_at: 1_200 });
    expect(derive({ given }, { comments: [comment(bo, null)] })).toMatchObject({ first_comment_at: 1_700 });
  });

  test('The first comment is the first review where that is all that is known', () => {
    const given = { ...nothingGiven, firstReviewAt: 3_000 };
    expect(derive({ given })).toMatchObject({ first_comment_at: 3_000 });
    expect(derive({ given }, { comments: [comment(bo, 4_000)] })).toMatchObject({ first_comment_at: 3_000 });
    expect(derive({ given: { ...given, firstCommentAt: 3_500 } })).toMatchObject({ first_comment_at: 3_000 });
  });
});

describe('rework', () => {
  const reviews = [review(bo, 3_000)];

  test('Rework is nothing when no commit followed the review', () => {
    expect(derive({}, { reviews, commits: [commit(ada, 100)] })).toMatchObject({ rework_time: 0, is_reworked: false });
  });

  test('Rework is missing when nobody reviewed', () => {
    expect(derive({}, { commits: [commit(ada, 5_000)] })).toMatchObject({ rework_time: null, is_reworked: null });
  });

  test('Rework is taken from the record where people’s commits have no dates', () => {
    const given = { ...nothingGiven, lastCommitAt: 5_000 };
    expect(derive({ given }, { reviews, commits: [commit(ada, null)] })).toMatchObject({ rework_time: 2_000 });
    expect(derive({ given }, { reviews, commits: [commit(robot, null)] })).toMatchObject({ rework_time: 0 });
  });

  test('Rework ends with the last commit before the merge', () => {
    const commits = [commit(ada, 4_000), commit(bo, 6_000), commit(ada, 9_500)];
    expect(derive({}, { reviews, commits })).toMatchObject({ rework_time: 3_000, is_reworked: true });
  });

  test('Rework is decided by the committer date: a commit rewritten after the review followed it', () => {
    const forcePushed = [commit(ada, 5_000, 100), commit(ada, 5_000, 200)];
    expect(derive({}, { reviews, commits: forcePushed })).toMatchObject({
      first_commit_at: 100,
      rework_time: 2_000,
      is_reworked: true,
      review_rounds: 1,
    });
  });

  test('Rework is not what a bot commits', () => {
    const commits = [commit(ada, 100), commit(robot, 5_000)];
    expect(derive({}, { reviews, commits })).toMatchObject({ rework_time: 0, is_reworked: false, review_rounds: 1 });
  });

  test('Rework is not a commit in the second of the review', () => {
    expect(derive({}, { reviews, commits: [commit(ada, 3_000)] })).toMatchObject({ is_reworked: false });
    expect(derive({}, { reviews, commits: [commit(ada, 3_001)] })).toMatchObject({ is_reworked: true, rework_time: 1 });
  });

  test('Rework is a commit in the second of the merge, which took it along', () => {
    expect(derive({}, { reviews, commits: [commit(ada, 9_000)] })).toMatchObject({ rework_time: 6_000 });
    expect(derive({}, { reviews, commits: [commit(ada, 9_001)] })).toMatchObject({ rework_time: 0 });
  });
});

describe('review rounds', () => {
  const rounds = (said: Partial<PullRequestTimes>, parts: PartsMade) => {
    const { review_rounds, review_rounds_bucket } = derive(said, parts);
    return [review_rounds, review_rounds_bucket];
  };
  const open = { mergedAt: null };

  test('Review rounds are none without a review', () => {
    expect(rounds({}, { commits: [commit(ada, 100), commit(ada, 5_000)] })).toEqual([0, '0']);
  });

  test('Review rounds are one for all reviews before the merge that no commit parts', () => {
    expect(rounds({}, { reviews: [review(bo, 3_000), review(chidi, 4_000), review(bo, 5_000)] })).toEqual([1, '1']);
  });

  test('Review rounds end with new commits or with the merge', () => {
    const reviews = [review(bo, 2_000), review(chidi, 2_100), review(bo, 4_000), review(bo, 6_000)];
    const commits = [commit(ada, 100), commit(ada, 3_000), commit(ada, 3_100), commit(ada, 5_000)];
    expect(rounds({}, { reviews, commits })).toEqual([3, '3+']);
    expect(rounds(open, { reviews, commits })).toEqual([2, '2']);
  });

  test('Review rounds do not count a trailing review that nothing follows', () => {
    expect(rounds(open, { reviews: [review(bo, 3_000)], commits: [commit(ada, 100)] })).toEqual([0, '0']);
    expect(rounds(open, { reviews: [review(bo, 3_000)], commits: [commit(robot, 5_000)] })).toEqual([0, '0']);
  });

  test('Review rounds are more than three in one bucket', () => {
    const reviews = [1, 2, 3, 4, 5].map((n) => review(bo, n * 1_000));
    const commits = [1, 2, 3, 4, 5].map((n) => commit(ada, n * 1_000 + 500));
    expect(rounds({}, { reviews, commits })).toEqual([5, '3+']);
  });

  test('Review rounds leave out reviews after the merge, the author’s, bots’ and those without a time', () => {
    const reviews = [review(bo, 9_001), review(ada, 3_000), review(robot, 3_000), review(bo, null)];
    expect(rounds({}, { reviews, commits: [commit(ada, 5_000)] })).toEqual([0, '0']);
  });

  test('Review rounds take the review that let it merge in the same second', () => {
    expect(rounds({}, { reviews: [review(bo, 9_000)] })).toEqual([1, '1']);
  });

  test('Review rounds do not take a commit in the second of the review for its answer', () => {
    const parts = { reviews: [review(bo, 3_000)], commits: [commit(ada, 3_000)] };
    expect(rounds(open, parts)).toEqual([0, '0']);
  });

  test('Review rounds take the last commit that the record gives where no commits are known', () => {
    const given = { ...nothingGiven, lastCommitAt: 5_000 };
    const reviews = [review(bo, 3_000), review(bo, 6_000)];
    expect(rounds({ given }, { reviews })).toEqual([2, '2']);
    expect(rounds({ given }, { reviews, commits: [commit(robot, 100)] })).toEqual([1, '1']);
  });
});
