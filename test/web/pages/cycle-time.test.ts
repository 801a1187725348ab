import { describe, expect, test } from 'vitest';
import { drawnWindow, maxDrawn } from '../../../web/src/ask/drawn-window.ts';
import { noPoint } from '../../../web/src/ask/figure-question.ts';
import { noFilters } from '../../../web/src/ask/view-state.ts';
import { dayReach, timeBuckets } from '../../../web/src/ask/windows.ts';
import { byRepository, mergedPullRequests, slowest } from '../../../web/src/pages/cycle-time/questions.ts';
import { type CycleFindings, cycleSentence } from '../../../web/src/pages/cycle-time/sentence-words.ts';
import { histogram, sizeAgainstTime, timeBins, withSize, withTime } from '../../../web/src/pages/cycle-time/spread.ts';
import { phaseQuestion, phaseSeries, phaseShares, phaseSums } from '../../../web/src/view/phases.ts';
import { saidText } from '../../../web/src/view/said-text.ts';
import { aChange } from './a-change.ts';
import { aView } from './a-view.ts';

const day = 86_400;
const found: CycleFindings = {
  median: aChange(3 * day, 2 * day, 'up', 'duration', 40),
  moved: 40 * day,
  phases: [
    { name: 'coding', verdict: 'down', moved: -60, now: day },
    { name: 'review', verdict: 'up', moved: 40 * day, now: 2 * day },
  ],
  repositories: [
    { name: 'ledger', verdict: 'too_few', moved: 15 * day },
    { name: 'checkout', verdict: 'up', moved: 25 * day },
  ],
  before: 'the 90 days before',
  isOwn: false,
};

describe('the sentence of cycle time', () => {
  test('The sentence of cycle time says how far it moved, in which phase and where', () => {
    expect(saidText(cycleSentence(found))).toBe(
      'Cycle time rose by 50% to 3d against the 90 days before, mostly in review (checkout).',
    );
  });
  test('The sentence of cycle time names no phase and no place that does not bear half of the change by a verdict of its own', () => {
    const [coding, review] = found.phases as [CycleFindings['phases'][0], CycleFindings['phases'][0]];
    const others = [
      { phases: [coding], repositories: [{ name: 'checkout', verdict: 'up', moved: 19 * day }] },
      { phases: [coding, { ...review, verdict: 'too_close' }], repositories: found.repositories.slice(0, 1) },
      { phases: [review, { ...review, name: 'pickup', moved: 41 * day, verdict: 'too_few' }], repositories: [] },
    ] as const;
    for (const other of others) {
      expect(saidText(cycleSentence({ ...found, ...other }))).toBe(
        'Cycle time rose by 50% to 3d against the 90 days before.',
      );
    }
  });
  test.each([
    ['about_the_same', ', about the same as in the 90 days before'],
    ['too_close', ', too close to call against the 90 days before'],
    ['too_few', ', too few to compare with the 90 days before'],
    ['no_comparison', ', with nothing complete to compare with in the 90 days before'],
  ] as const)('of a verdict of %s says no more than that', (verdict, said) => {
    expect(saidText(cycleSentence({ ...found, median: { ...found.median, verdict } }))).toBe(
      `Half of 40 pull requests took less than 3d from first commit to merge${said}. Review takes longest, 2d at the median.`,
    );
  });
  test('The sentence of cycle time says what is usual where there is nothing to compare with', () => {
    const alone = { ...found.median, before: undefined, verdict: null };
    expect(saidText(cycleSentence({ ...found, median: alone }))).toBe(
      'Half of 40 pull requests took less than 3d from first commit to merge. Review takes longest, 2d at the median.',
    );
    expect(saidText(cycleSentence({ ...found, median: alone, isOwn: true }))).toMatch(/^Half of your 40 pull requests/);
  });
  test('The sentence of cycle time is no number where nothing was merged', () => {
    const nothing = { ...found, median: { ...found.median, now: noPoint } };
    expect(saidText(cycleSentence(nothing))).toBe('No pull request was merged in this window.');
    expect(saidText(cycleSentence({ ...nothing, isOwn: true }))).toContain('your');
  });
});

describe('how the times are spread', () => {
  const rows = [0, 3_599, 3_600, 2 * day, 500 * day, null].map((cycle_time, at) => ({ pr_id: `pr ${at}`, cycle_time }));

  test('Every time falls into one bar, and what has none into none', () => {
    const { series } = histogram(withTime(rows), 'times');
    expect(series[0]?.points.map(({ value }) => value)).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(timeBins.slice(1).map(({ from }) => from)).toEqual(timeBins.slice(0, -1).map(({ until }) => until));
  });

  test('A missing side of the size is 0, a missing size is left out', () => {
    const sized = withSize([
      { pr_id: 'a', additions: 3, deletions: null, cycle_time: day },
      { pr_id: 'b', additions: null, deletions: null, cycle_time: day },
    ]);
    const { dots } = sizeAgainstTime(sized, 'sizes');
    expect(dots.map(({ x, y }) => [x, y])).toEqual([[3, day]]);
  });

  test('How the times are spread of too many pull requests only the last buckets are drawn', () => {
    const window = { start: '2026-10-20', end: '2026-11-16' };
    const buckets = timeBuckets(window, 'week', dayReach(undefined, 'UTC', '2026-11-16'));
    const series = (n: number) => buckets.map(() => ({ value: 1, n }));
    expect(drawnWindow({ buckets, series: series(10) }, window)).toEqual(window);
    expect(drawnWindow({ buckets, series: series(maxDrawn / 2) }, window)).toEqual({
      start: '2026-11-09',
      end: '2026-11-16',
    });
    expect(drawnWindow({ buckets, series: series(maxDrawn * 9) }, window)).toEqual({
      start: '2026-11-16',
      end: '2026-11-16',
    });
  });
});

describe('what the page asks', () => {
  const view = aView({ filters: { ...noFilters, team: ['t'], repository: ['o/r'], person: [] } });
  const filters = { start_date: '2026-08-18', end_date: '2026-11-15', team: ['t'], repositories: ['o/r'] };

  test('The filters of the reader are in every request', () => {
    for (const question of [
      phaseQuestion(view, 'merge'),
      byRepository(view, { start: '2026-05-20', end: '2026-08-17' }),
      mergedPullRequests(view, view.window),
      slowest(view),
    ]) {
      expect(question.body.filters).toEqual(filters);
    }
  });

  test('What the page asks pull requests are drawn by their merge, as the figures above count them', () => {
    expect(mergedPullRequests(view, view.window).body.date_fields).toEqual({ 'pull-requests-count': 'pr_merged_at' });
  });
});

describe('where the time goes', () => {
  const hour = 3_600;
  /** Hours of the pull requests of a week, as they are answered: null where none of them went through the phase. */
  const sums = (
    is_reworked: boolean | null,
    [coding, pickup, review, cycle, deploy]: readonly (number | null)[],
    more: Record<string, string | number | boolean | null> = {},
  ) => ({
    week_date: '2026-11-09',
    is_reworked,
    is_promotion_pr: false,
    deployment_attribution_status: 'deployed',
    sum_coding_time: coding === null || coding === undefined ? null : coding * hour,
    sum_pickup_time: pickup === null || pickup === undefined ? null : pickup * hour,
    sum_review_time: review === null || review === undefined ? null : review * hour,
    sum_cycle_time: cycle === null || cycle === undefined ? null : cycle * hour,
    sum_merge_to_deploy: deploy === null || deploy === undefined ? null : deploy * hour,
    n_cycle_time: 10,
    n_merge_to_deploy: 8,
    ...more,
  });
  const rows = [
    sums(true, [10, 20, 30, 60, 5]),
    sums(false, [4, 6, 10, 20, 5]),
    // Nobody reviewed these: from opened to merged they were in no phase.
    sums(null, [8, null, null, 28, 10]),
    sums(false, [null, 500, 500, null, null], { is_promotion_pr: true }),
    sums(false, [1, 1, 1, 3, null], { deployment_attribution_status: 'awaiting_deploy', n_cycle_time: 1 }),
  ];

  test('Where the time goes adds every phase up over the same pull requests: all of their hours, and no others', () => {
    const { seconds, total, pullRequests } = phaseSums(rows, 'merge');
    expect(seconds).toEqual({
      coding: 23 * hour,
      pickup: 27 * hour,
      review: 41 * hour,
      unreviewed: 20 * hour,
      deploy: 0,
    });
    // The cycle times of those that are counted.
    expect([total, pullRequests]).toEqual([(60 + 20 + 28 + 3) * hour, 31]);
  });

  test('Where the time goes goes up to production only for what has arrived there', () => {
    const { seconds, total, pullRequests } = phaseSums(rows, 'production');
    expect(seconds).toMatchObject({ coding: 22 * hour, review: 40 * hour, deploy: 20 * hour });
    expect([total, pullRequests]).toEqual([(60 + 20 + 28 + 20) * hour, 24]);
  });

  test('Where the time goes is shares that add up to the whole, and none where nothing was merged', () => {
    for (const until of ['merge', 'production'] as const) {
      const shares = phaseShares(phaseSums(rows, until), until).map(({ share }) => share ?? Number.NaN);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
    expect(phaseShares(phaseSums([], 'merge'), 'merge').every(({ share }) => share === null)).toBe(true);
  });

  test('Where the time goes has a gap in a week without pull requests, and no phase that took no time', () => {
    const buckets = timeBuckets(
      { start: '2026-11-02', end: '2026-11-15' },
      'week',
      dayReach(undefined, 'UTC', '2026-11-16'),
    );
    const series = phaseSeries(rows.slice(0, 1), buckets, 'week', 'merge');
    expect(series.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
      ['Coding', [null, 10 / 60]],
      ['Waiting for review', [null, 20 / 60]],
      ['In review', [null, 30 / 60]],
    ]);
    expect(series[0]?.points[1]?.n).toBe(10);
  });
});
