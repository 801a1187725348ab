import { describe, expect, test } from 'vitest';
import { brackets, clocksOf } from '../../../web/src/pages/pull-request/clock-words.ts';
import { happenings, leftOut, type PullRequestParts } from '../../../web/src/pages/pull-request/events.ts';
import { pullRequestSentence } from '../../../web/src/pages/pull-request/sentence-words.ts';
import { saidText } from '../../../web/src/view/said-text.ts';

const hour = 3_600;
const pullRequest = {
  pr_id: 'o/r#1',
  name: 'Ada',
  merged_user_id: 'ada',
  is_bot: false,
  is_draft: false,
  pr_state: 'merged',
  first_commit_at: '2026-09-01T08:00:00Z',
  pr_created_at: '2026-09-01T10:00:00Z',
  ready_at: null,
  first_review_at: '2026-09-01T14:00:00Z',
  merge_queue_entered_at: null,
  pr_merged_at: '2026-09-02T00:00:00Z',
  pr_closed_at: '2026-09-02T00:00:00Z',
  deployed_at: '2026-09-02T01:00:00Z',
  deployment_attribution_status: 'deployed',
  coding_time: 2 * hour,
  pickup_time: 4 * hour,
  review_time: 10 * hour,
  rework_time: 6 * hour,
  cycle_time: 16 * hour,
  queue_time: null,
  merge_to_deploy: hour,
  lead_time: 17 * hour,
  commits_count: 3,
  reviews_count: 2,
  comments_count: 1,
};
const nothing: PullRequestParts = { reviews: [], comments: [], commits: [], events: [], deployment: undefined };

describe('the clocks of a pull request', () => {
  test('Each has its value, its two times and the rule behind them', () => {
    const clocks = clocksOf(pullRequest);
    expect(clocks.map(({ name, seconds }) => [name, seconds])).toEqual([
      ['coding', 2 * hour],
      ['first review wait', 4 * hour],
      ['review', 10 * hour],
      ['merge to production', hour],
      ['rework', 6 * hour],
      ['merge queue', null],
      ['cycle time', 16 * hour],
      ['lead time', 17 * hour],
    ]);
    expect(clocks[0]).toMatchObject({ from: 'earliest author date of its 3 commits', until: 'opened (never a draft)' });
    expect(clocks[5]?.missing).toBe('never in a merge queue');
  });

  test('A promotion lacks those that its first commit starts, and says why', () => {
    const without = { coding_time: null, cycle_time: null, merge_to_deploy: null, lead_time: null };
    const clocks = clocksOf({ ...pullRequest, ...without });
    const why = 'left out: it brings the changes of others, which have their own';
    expect(clocks.filter(({ missing }) => missing === why).map(({ name }) => name)).toEqual([
      'coding',
      'merge to production',
      'cycle time',
      'lead time',
    ]);
    expect(pullRequestSentence({ ...pullRequest, ...without }, clocks, undefined, 0)).toEqual([
      'Brings the changes of others, which have their own cycle time.',
    ]);
  });

  test('Every bracket is as long as its value says', () => {
    for (const { name, from, until } of brackets(clocksOf(pullRequest))) {
      const clock = clocksOf(pullRequest).find((one) => one.name === name);
      expect([name, (until - from) / 1_000]).toEqual([name, clock?.seconds]);
    }
    expect(brackets(clocksOf(pullRequest))).toHaveLength(7);
  });

  test('A draft is opened when it is ready, and without commits the creation starts the clock', () => {
    const draft = clocksOf({
      ...pullRequest,
      ready_at: '2026-09-01T12:00:00Z',
      first_commit_at: null,
      coding_time: null,
    });
    expect(draft[0]?.missing).toBe('no commit is known');
    expect(draft[1]).toMatchObject({
      from: 'ready for review (opened as a draft)',
      start: Date.parse('2026-09-01T12:00:00Z'),
    });
    expect(draft[6]).toMatchObject({ from: 'opened: no commit is known', start: Date.parse('2026-09-01T10:00:00Z') });
  });

  test('The clocks of a pull request says why a clock is missing', () => {
    const open = clocksOf({
      ...pullRequest,
      pr_merged_at: null,
      first_review_at: null,
      deployed_at: null,
      pickup_time: null,
      cycle_time: null,
      lead_time: null,
    });
    expect(open[1]?.missing).toBe('never reviewed by another person');
    expect(open[6]?.missing).toBe('not merged');
    expect(clocksOf({ ...pullRequest, is_bot: true, cycle_time: null })[6]?.missing).toContain('bot');
    const waiting = {
      ...pullRequest,
      deployed_at: null,
      lead_time: null,
      deployment_attribution_status: 'awaiting_deploy',
    };
    expect(clocksOf(waiting)[7]?.missing).toBe('waiting to deploy');
  });
});

describe('what happened to a pull request', () => {
  const parts: PullRequestParts = {
    reviews: [
      {
        pr_review_id: '1',
        reviewed_at: '2026-09-01T14:00:00Z',
        review_state: 'changes_requested',
        name: 'Bo',
        merged_user_id: 'bo',
      },
      {
        pr_review_id: '2',
        reviewed_at: '2026-09-01T23:00:00Z',
        review_state: 'approved',
        name: 'Bo',
        merged_user_id: 'bo',
      },
    ],
    comments: [
      { comment_id: '1', commented_at: '2026-09-01T15:00:00Z', name: 'Bo', comment_url: 'javascript:alert(1)' },
    ],
    commits: ['a', 'b', 'c'].map((sha) => ({ commit_id: sha, sha, committed_at: '2026-09-01T20:00:00Z', name: 'Ada' })),
    events: [
      { event_type: 'merged', event_at: '2026-09-02T00:00:00Z', event_url: 'https://x/1', name: 'Ada' },
      {
        event_type: 'review_requested',
        event_at: '2026-09-01T10:00:00Z',
        event_url: 'https://x/2',
        details: { reviewer: 'bo' },
      },
    ],
    deployment: { failure_reason: 'revert_pr', remediation_merged_at: '2026-09-03T00:00:00Z' },
  };

  test('What happened to a pull request is told in its order, each once', () => {
    expect(happenings(pullRequest, parts).map(({ what }) => what)).toEqual([
      'first commit',
      'opened',
      'review requested of bo',
      'first review',
      'review: changes requested',
      'commented',
      'commit a',
      'commit b',
      'commit c',
      'approved',
      'merged',
      'deployed',
      'reverted',
    ]);
  });

  test('What happened to a pull request links only to web addresses', () => {
    const all = happenings(pullRequest, parts);
    expect(all.find(({ what }) => what === 'commented')?.url).toBeNull();
    expect(all.find(({ what }) => what.startsWith('review requested'))?.url).toBe('https://x/2');
  });

  test('What happened to a pull request keeps its own times where the events are of people who are not seen, and says what is left out', () => {
    expect(happenings(pullRequest, nothing).map(({ what }) => what)).toEqual([
      'first commit',
      'opened',
      'first review',
      'merged',
      'deployed',
    ]);
    expect(leftOut(pullRequest, nothing)).toEqual(['2 reviews', '1 comment', '3 commits']);
    expect(leftOut(pullRequest, parts)).toEqual([]);
    const own = { ...nothing, reviews: [{ pr_review_id: '3', merged_user_id: 'ada' }] };
    expect(leftOut(pullRequest, own)[0]).toBe('2 reviews');
  });
});

describe('the sentence of a pull request', () => {
  const now = Date.parse('2026-09-05T10:00:00Z');
  const say = (row: typeof pullRequest | Record<string, string | number | boolean | null>, median: number, n = 9) =>
    saidText(pullRequestSentence(row, clocksOf(row), { median, n, called: 'the median of its repository' }, now));

  test('The sentence of a pull request compares it with what is usual in its repository and names the longest phase', () => {
    expect(say(pullRequest, 8 * hour)).toBe(
      'Took 16h from first commit to merge, twice the median of its repository (8h, n 9). Review was 63% of it.',
    );
    expect(say(pullRequest, 16 * hour)).toContain(', about the median');
    expect(say(pullRequest, 20 * hour)).toContain(', 20% less than the median');
    expect(say(pullRequest, 12 * hour)).toContain(', 33% more than the median');
    expect(say(pullRequest, hour)).toContain(', more than 16 times the median');
  });
  test('The sentence of a pull request compares with no median of a few', () => {
    expect(say(pullRequest, 8 * hour, 4)).not.toContain('median');
  });
  test('The sentence of a pull request says what an open one waits for', () => {
    const open = { ...pullRequest, pr_state: 'open', pr_merged_at: null, first_review_at: null };
    expect(say(open, hour)).toBe('Open for 4d, not reviewed by another person yet.');
    expect(say({ ...open, is_draft: true }, hour)).toBe('Open for 4d as a draft.');
    expect(say({ ...pullRequest, pr_state: 'closed', pr_merged_at: null }, hour)).toContain(
      'Closed without being merged',
    );
  });
});
