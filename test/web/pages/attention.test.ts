import { expect, test } from 'vitest';
import { type AttentionAnswer, attentionEntries } from '../../../src/conclusions/attention-words.ts';
import type { ListedGoal } from '../../../web/src/ask/goal-standing.ts';
import { noFilters } from '../../../web/src/ask/view-state.ts';
import { attentionPath } from '../../../web/src/pages/overview/attention-path.ts';
import { missedGoals } from '../../../web/src/pages/overview/missed-goals.ts';
import { aView } from './a-view.ts';

const answer: AttentionAnswer = {
  at: '2026-06-15T12:00:00Z',
  hours: 48,
  waiting: [
    {
      for: 'review',
      count: 214,
      older_than_90_days: 12,
      longest_since: '2026-06-12T06:00:00Z',
      pull_requests: Array.from({ length: 200 }, (_, i) => ({ pr_id: `p${i}` })),
    },
    { for: 'merge', count: 0, older_than_90_days: 0, longest_since: null, pull_requests: [] },
    { for: 'deploy', count: 1, older_than_90_days: 0, longest_since: '2026-06-13T11:00:00Z', pull_requests: [{}] },
  ],
  failures: {
    count: 3,
    deployments: ['ledger', 'web', 'brand-kit'].map((repository_name) => ({ repository_name })),
  },
  stale_sources: [{ source: 'GitHub', since: '2026-06-13T11:00:00Z' }],
};

test('The strip has an entry for everything that waits, fails or has gone quiet, and for nothing else', () => {
  expect(attentionEntries(answer).map(({ label, count, more }) => [label, count, more])).toEqual([
    ['Waiting for a first review', 214, 'longest 3d 6h'],
    ['Merged, not deployed', 1, 'longest 2d 1h'],
    ['Failures not restored', 3, 'ledger, web and 1 more'],
    ['Sources without new data', 1, 'GitHub'],
  ]);
});

test('What is counted and not listed is said', () => {
  const [review, deploy] = attentionEntries(answer);
  expect(review?.unlisted).toBe('2 more aren’t listed here. 12 more have waited for over 90 days.');
  expect(deploy?.unlisted).toBeUndefined();
});

test('Goals that are missed and not on their way are in it, where they are about what the page shows', () => {
  const goal = (state: ListedGoal['state'], team: string): ListedGoal => ({
    goal: `${team}-${state}`,
    title: `${team} ${state}`,
    metric: 'pickup-time',
    aggregation: 'MEDIAN',
    filters: { team: [team] },
    should_be: 'below',
    value: 86_400,
    period: 'week',
    visible_to: 'organisation',
    state,
    latest: { start_date: '2026-06-01', end_date: '2026-06-07', value: 100_800, n: 9, state: 'missed' },
    owner: null,
    may_change: false,
    changed_at: '2026-06-01T00:00:00Z',
  });
  const states = ['met', 'on_track', 'at_risk', 'off_track', 'missed', 'too_early', 'limited'] as const;
  const goals = ['Checkout', 'Search'].flatMap((team) => states.map((state) => goal(state, team)));
  const teams = [
    { id: 't1', name: 'Checkout' },
    { id: 't2', name: 'Search' },
  ];
  const isOwn = (owner: ListedGoal['owner']) => owner?.merged_user_id === 'me';
  const about = (filters: object) => ({ filters, teams, isOwn });
  const titles = (filters: object) => missedGoals(goals, about(filters)).map(({ title }) => title);
  expect(titles({})).toEqual(['Checkout off_track', 'Checkout missed', 'Search off_track', 'Search missed']);
  expect(titles({ team: ['t2'], start_date: '2026-01-01' })).toEqual(['Search off_track', 'Search missed']);
  const byOwner = (id: string) => ({
    ...goal('missed', id),
    visible_to: 'me' as const,
    owner: { merged_user_id: id, name: id },
  });
  expect(missedGoals([byOwner('other'), byOwner('me')], about({})).map(({ title }) => title)).toEqual(['me missed']);
  const [entry] = attentionEntries({ ...answer, waiting: [] }, missedGoals(goals, about({ team: ['t1'] }))).filter(
    ({ kind }) => kind === 'goals',
  );
  expect(entry).toMatchObject({ count: 2, label: 'Goals missed', more: 'Checkout off_track, Checkout missed' });
  expect(entry?.records[1]).toEqual({
    goal: 'Checkout-missed',
    title: 'Checkout missed',
    metric: 'First review wait, median',
    value: '1d 4h',
    target: 'At most 1d',
  });
});

test('What waits now is asked with the filters of the page, and without its range', () => {
  expect(attentionPath(aView())).toBe('/app/attention');
  const { searchParams } = new URL(
    attentionPath(aView({ range: '30d', filters: { ...noFilters, team: ['t1'] } })),
    'http://x',
  );
  expect(JSON.parse(searchParams.get('filters') ?? '')).toEqual({ team: ['t1'] });
});
