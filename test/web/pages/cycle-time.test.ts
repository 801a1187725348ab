import { describe, expect, test } from 'vitest';
import { timeBuckets } from '../../../web/src/ask/windows.ts';
import { byRepository, mergedPullRequests, slowest } from '../../../web/src/pages/cycle-time/questions.ts';
import { type CycleFindings, cycleSentence } from '../../../web/src/pages/cycle-time/sentence.ts';
import {
  drawnMost,
  drawnWindow,
  histogram,
  sizeAgainstTime,
  timeBins,
  withSize,
  withTime,
} from '../../../web/src/pages/cycle-time/spread.ts';
import { phaseQuestion, phaseSeries } from '../../../web/src/view/phases.ts';
import { saidText } from '../../../web/src/view/said-text.ts';
import { aView } from './a-view.ts';

const day = 86_400;
const found: CycleFindings = {
  median: 3 * day,
  medianBefore: 2 * day,
  n: 40,
  phases: [
    { name: 'coding', now: day, before: day + 60, n: 40 },
    { name: 'review', now: 2 * day, before: day, n: 40 },
  ],
  repositories: [
    { name: 'ledger', now: 9 * day, before: day, n: 4 },
    { name: 'checkout', now: 4 * day, before: 2 * day, n: 20 },
  ],
  before: 'the 90 days before',
  isOwn: false,
};

describe('the sentence of cycle time', () => {
  test('says how far it moved, in which phase and where', () => {
    expect(saidText(cycleSentence(found))).toBe(
      'Cycle time rose by 50\u202f% to 3d against the 90 days before, mostly in review (checkout).',
    );
  });
  test('names no phase and no place that moved the other way', () => {
    const fell = { ...found, median: day, phases: found.phases.slice(1), repositories: [] };
    expect(saidText(cycleSentence(fell))).toBe('Cycle time fell by 50\u202f% to 1d against the 90 days before.');
  });
  test('says what is usual where there is nothing to compare with', () => {
    expect(saidText(cycleSentence({ ...found, medianBefore: undefined }))).toBe(
      'Half of 40 pull requests took less than 3d from first commit to merge; review takes the longest, 2d at the median.',
    );
  });
  test('is no number where nothing was merged', () => {
    expect(saidText(cycleSentence({ ...found, median: null }))).toBe('No pull request was merged in this window.');
    expect(saidText(cycleSentence({ ...found, median: null, isOwn: true }))).toContain('your');
  });
});

describe('how the times are spread', () => {
  const rows = [0, 3_599, 3_600, 2 * day, 500 * day, null].map((cycle_time, at) => ({ pr_id: `pr ${at}`, cycle_time }));

  test('every time falls into one bar, and what has none into none', () => {
    const { series } = histogram(withTime(rows), 'times');
    expect(series[0]?.points.map(({ value }) => value)).toEqual([2, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(timeBins.slice(1).map(({ from }) => from)).toEqual(timeBins.slice(0, -1).map(({ until }) => until));
  });

  test('a missing side of the size is 0, a missing size is left out', () => {
    const sized = withSize([
      { pr_id: 'a', additions: 3, deletions: null, cycle_time: day },
      { pr_id: 'b', additions: null, deletions: null, cycle_time: day },
    ]);
    const { dots } = sizeAgainstTime(sized, 'sizes');
    expect(dots.map(({ x, y }) => [x, y])).toEqual([[3, day]]);
  });

  test('of too many pull requests only the last buckets are drawn', () => {
    const window = { start: '2026-10-20', end: '2026-11-16' };
    const buckets = timeBuckets(window, 'week', '2026-11-16');
    const series = (n: number) => buckets.map(() => ({ value: 1, n }));
    expect(drawnWindow({ buckets, series: series(10) }, window)).toEqual(window);
    expect(drawnWindow({ buckets, series: series(drawnMost / 2) }, window)).toEqual({
      start: '2026-11-09',
      end: '2026-11-16',
    });
    expect(drawnWindow({ buckets, series: series(drawnMost * 9) }, window)).toEqual({
      start: '2026-11-16',
      end: '2026-11-16',
    });
  });
});

describe('what the page asks', () => {
  const view = aView({ filters: { team: ['t'], repository: ['o/r'], person: [] } });
  const filters = { start_date: '2026-08-19', end_date: '2026-11-16', team: ['t'], repositories: ['o/r'] };

  test('the filters of the reader are in every request', () => {
    for (const question of [
      phaseQuestion(view),
      byRepository(view, view.window),
      mergedPullRequests(view, view.window),
      slowest(view),
    ]) {
      expect(question.body.filters).toEqual(filters);
    }
  });

  test('pull requests are drawn by their merge, as the figures above count them', () => {
    expect(mergedPullRequests(view, view.window).body.date_fields).toEqual({ 'pull-requests-count': 'pr_merged_at' });
  });

  test('phases are averages with a number of pull requests each, and gaps where a bucket has none', () => {
    const buckets = timeBuckets({ start: '2026-11-02', end: '2026-11-15' }, 'week', '2026-11-16');
    const rows = [
      { week_date: '2026-11-09', avg_coding_time: 60, n_coding_time: 2, avg_pickup_time: null, n_pickup_time: 0 },
    ];
    const [coding, pickup] = phaseSeries(rows, buckets, 'week');
    expect(coding?.points).toEqual([
      { value: null, n: null },
      { value: 60, n: 2 },
    ]);
    expect(pickup?.points[1]).toEqual({ value: null, n: 0 });
  });
});
