import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { times } from '../../setup/how-long.ts';
import {
  ada,
  bo,
  chidi,
  comment,
  commit,
  gone,
  nothingGiven,
  review,
  robot,
  timingsOf,
} from './some-pull-request-timings.ts';

describe('whatever happens to a pull request', () => {
  const time = fc.option(fc.integer({ min: 0, max: 40 }), { nil: null, freq: 8 });
  const author = fc.constantFrom(ada, bo, chidi, gone, robot);
  const made = fc.record({ by: author, at: time });
  const committed = fc.record({
    by: author,
    authoredAt: time,
    committedAt: time,
  });
  const world = fc.record({
    pr: fc.record({
      author,
      createdAt: time,
      readyAt: time,
      mergedAt: time,
      queuedAt: time,
      given: fc.record({ firstCommitAt: time, lastCommitAt: time, firstReviewAt: time, firstCommentAt: time }),
    }),
    reviews: fc.array(made, { maxLength: 8 }),
    comments: fc.array(made, { maxLength: 8 }),
    commits: fc.array(committed, { maxLength: 8 }),
  });
  const shuffled = <T>(parts: readonly T[]) =>
    fc.shuffledSubarray([...parts], { minLength: parts.length, maxLength: parts.length });

  test('The order of its parts does not matter', () => {
    const twice = world.chain((one) =>
      fc.tuple(fc.constant(one), shuffled(one.reviews), shuffled(one.comments), shuffled(one.commits)),
    );
    fc.assert(
      fc.property(twice, ([{ pr, reviews, comments, commits }, ...others]) => {
        expect(timingsOf(pr, ...others)).toEqual(timingsOf(pr, reviews, comments, commits));
      }),
      { numRuns: times(500) },
    );
  });

  test('No clock is negative, and what it is reviewed by agrees with how it was reviewed', () => {
    fc.assert(
      fc.property(world, ({ pr, reviews, comments, commits }) => {
        const derived = timingsOf(pr, reviews, comments, commits);
        const { coding_time, pickup_time, review_time, rework_time, cycle_time, time_to_first_comment } = derived;
        for (const clock of [coding_time, pickup_time, review_time, rework_time, cycle_time, time_to_first_comment]) {
          expect(clock ?? 0).toBeGreaterThanOrEqual(0);
        }
        expect(derived.is_reworked === true).toBe((rework_time ?? 0) > 0);
        if (pr.author.isBot) expect(rework_time).toBeNull();
        else expect(rework_time === null).toBe(derived.first_review_at === null);
        expect(derived.review_rounds).toBeLessThanOrEqual(derived.reviews_count ?? 0);
        expect(derived.reviewers_count).toBeLessThanOrEqual(derived.reviews_count ?? 0);
        if (reviews.length > 0 && derived.first_review_at !== null) {
          expect(derived.reviews_count).toBeGreaterThan(0);
          expect(derived.first_comment_at).toBeLessThanOrEqual(derived.first_review_at);
        }
      }),
      { numRuns: times(500) },
    );
  });

  test('Rows of bots change nothing but the number of commits', () => {
    fc.assert(
      fc.property(world, made, committed, ({ pr, reviews, comments, commits }, spoken, pushed) => {
        // With at least one row of a person, so that rows decide and not the record.
        const people = [...reviews, review(bo, 20)];
        const words = [...comments, comment(bo, 20)];
        const pushes = [...commits, commit(bo, 20)];
        const before = timingsOf({ ...pr, author: ada }, people, words, pushes);
        const after = timingsOf(
          { ...pr, author: ada },
          [...people, { ...spoken, by: robot }],
          [...words, { ...spoken, by: robot }],
          [...pushes, { ...pushed, by: robot }],
        );
        expect(after).toEqual({ ...before, commits_count: (before.commits_count ?? 0) + 1 });
      }),
      { numRuns: times(500) },
    );
  });

  test('Rounds are what counting review by review gives', () => {
    fc.assert(
      fc.property(world, ({ pr, reviews, commits }) => {
        const known = { ...pr, given: nothingGiven };
        const { review_rounds } = timingsOf(known, reviews, [], commits);
        // A round ends at the first thing that answers its last review; reviews with the same answer are one round.
        const merge = pr.mergedAt ?? Number.POSITIVE_INFINITY;
        const answers = commits.flatMap((one) => (one.by.isBot ? [] : (one.committedAt ?? one.authoredAt ?? [])));
        const ends = reviews.flatMap(({ by, at }) => {
          if (by.isBot || at === null || at > merge || (by.actor !== null && by.actor === pr.author.actor)) return [];
          const end = Math.min(merge, ...answers.filter((answer) => answer > at));
          return Number.isFinite(end)
            ? [end === merge && !answers.some((a) => a > at && a <= merge) ? 'merge' : end]
            : [];
        });
        expect(review_rounds).toBe(new Set(ends).size);
      }),
      { numRuns: times(1_000) },
    );
  });
});
