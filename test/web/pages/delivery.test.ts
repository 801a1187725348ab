import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { attributionParts } from '../../../web/src/pages/delivery/attribution.ts';
import { countsInWords } from '../../../web/src/pages/delivery/count-words.ts';
import { failuresChart } from '../../../web/src/pages/delivery/failures-chart.ts';
import { instability, throughput } from '../../../web/src/pages/delivery/questions.ts';
import { repositoryLines } from '../../../web/src/pages/delivery/repositories.ts';
import { type DeliveryFindings, deliverySentence } from '../../../web/src/pages/delivery/sentence-words.ts';
import { carriedList } from '../../../web/src/pages/deployment/carried-list.ts';
import { courseOf } from '../../../web/src/pages/deployment/course.ts';
import { deploymentSentence } from '../../../web/src/pages/deployment/sentence-words.ts';
import { deploymentLink } from '../../../web/src/view/deployment-link.ts';
import { saidText } from '../../../web/src/view/said-text.ts';
import { aChange } from './a-change.ts';
import { aView } from './a-view.ts';

const hour = 3_600;
const found: DeliveryFindings = {
  deployments: aChange(120, 100, 'up', 'count'),
  leadTime: aChange(30 * hour, 40 * hour, 'down', 'duration'),
  failureRate: 0.05,
  changes: 120,
  restore: 2 * hour,
  before: 'the 90 days before',
  isOwn: false,
};

describe('the sentence of delivery', () => {
  test('The sentence of delivery says how often, how fast and how safely', () => {
    expect(saidText(deliverySentence(found))).toBe(
      '120 deployments, 20% more than in the 90 days before. Half of the changes were live within 1d 6h, 10h shorter. ' +
        '5% failed (6 of 120 changes), restored after 2h at the median.',
    );
  });
  test('The sentence of delivery of a few deployments it says the number, not the percentage', () => {
    const few = { ...found, deployments: aChange(16, 11, 'up', 'count'), isOwn: true };
    expect(saidText(deliverySentence(few))).toContain('16 deployments that carried work of yours, 5 more than in');
  });
  test('The sentence of delivery says more, fewer and shorter only by the verdicts', () => {
    const verdicts = {
      deployments: aChange(120, 100, 'too_close', 'count'),
      leadTime: aChange(30 * hour, 40 * hour, 'about_the_same', 'duration'),
    };
    expect(saidText(deliverySentence({ ...found, ...verdicts }))).toMatch(
      /^120 deployments, too close to call against the 90 days before. Half .* 1d 6h, about the same as before\./,
    );
  });
  test('A failure that nobody put right is said, and so is that none failed', () => {
    expect(saidText(deliverySentence({ ...found, restore: null }))).toContain('(6 of 120 changes), none restored yet.');
    expect(saidText(deliverySentence({ ...found, failureRate: 0 }))).toContain('. None failed.');
  });
  test('Nothing is no zero', () => {
    const none = { deployments: aChange(0, 3, 'too_few', 'count'), leadTime: aChange(null, 1, null, 'duration') };
    const nothing = { ...found, ...none, failureRate: null };
    expect(saidText(deliverySentence(nothing))).toBe('Nothing reached production in this window.');
    expect(saidText(deliverySentence({ ...nothing, isOwn: true }))).toContain('your');
    expect(saidText(deliverySentence({ ...found, isOwn: true }))).toContain('Half of your changes were live');
  });
});

test('The figures of delivery are DORA’s five in their two groups, each with the name that DORA gives it', () => {
  const named = (group: readonly { metric: string; label: string }[]) =>
    group.map(({ metric, label }) => `${metric}: ${label}`);
  expect(named(throughput)).toEqual([
    'lead-time-for-changes-p50: Lead time for changes, median',
    'deployment-frequency: Deployment frequency',
    'time-to-restore-p50: Time to restore, median',
  ]);
  expect(named(instability)).toEqual([
    'change-failure-rate: Change failure rate',
    'deployment-rework-rate: Deployment rework rate',
  ]);
});

describe('the counts of delivery', () => {
  test('The counts of delivery are told apart: runs, those that succeeded, and changes', () => {
    expect(countsInWords({ succeeded: 111, runs: 115, changes: 113, failureRate: 7 / 113 })).toBe(
      '115 runs to production ended: 111 succeeded, 4 failed. 2 carried only reverts and hotfixes. Of the other 113 changes ' +
        '7 failed: the run itself, or by an incident, a revert or a hotfix later.',
    );
    const own = { succeeded: 9, runs: 9, changes: 9, failureRate: 0, isOwn: true };
    expect(countsInWords(own)).toContain('9 runs to production with work of yours ended');
    expect(countsInWords({ succeeded: 9, runs: 9, changes: 9, failureRate: 0 })).toContain(
      'Of these 9 changes 0 failed',
    );
  });
  test('The counts of delivery are not said where there is nothing', () => {
    expect(countsInWords({ succeeded: null, runs: null, changes: null, failureRate: null })).toBeUndefined();
  });
});

describe('the parts of delivery', () => {
  test('A repository has its lead time beside its deployments, also where it has only one of them', () => {
    const lines = repositoryLines(
      [
        { repository: 'o/a', deployment_source: 'workflow_run', deployment_frequency: 1, n_change_failure_rate: 2 },
        { repository: 'o/b', deployment_source: 'github_release', deployment_frequency: 9 },
      ],
      [
        { repository: 'o/a', lead_time_for_changes_p50: 60, n_lead_time_for_changes_p50: 3 },
        { repository: 'o/c', lead_time_for_changes_p50: 5, n_lead_time_for_changes_p50: 1 },
        { repository: 'o/d', lead_time_for_changes_p50: null, n_lead_time_for_changes_p50: 0 },
      ],
    );
    expect(lines.map(({ repository, deployments, leadTime }) => [repository, deployments, leadTime])).toEqual([
      ['o/b', 9, null],
      ['o/a', 1, 60],
      ['o/c', null, 5],
    ]);
  });

  test('The bar of attribution holds every merged pull request once, in one order', () => {
    const parts = attributionParts([
      { deployment_attribution_status: 'ignored', pr_count: 1 },
      { deployment_attribution_status: 'brand_new_status', pr_count: 1 },
      { deployment_attribution_status: 'deployed', pr_count: 2 },
      { deployment_attribution_status: 'awaiting_deploy', pr_count: 0 },
    ]);
    expect(parts.map(({ name, count, share }) => [name, count, share])).toEqual([
      ['In production', 2, 0.5],
      ['Not counted', 1, 0.25],
      ['Brand new status', 1, 0.25],
    ]);
  });

  test('Failures are counted by n of their reason, not by those that did not fail', () => {
    const { series } = failuresChart([
      { failure_reason: null, change_failure_rate: 0, n: 114 },
      { failure_reason: 'incident', change_failure_rate: 1, n: 2 },
      { failure_reason: 'revert_pr', change_failure_rate: 1, n: 4 },
    ]);
    expect(series[0]?.points.map(({ value }) => value)).toEqual([0, 2, 4, 0]);
  });
});

describe('one deployment', () => {
  const row = {
    deployment_id: 'run:1',
    status: 'success',
    is_production: true,
    prs_included: 2,
    started_at: '2026-09-01T14:00:00Z',
    deployed_at: '2026-09-01T14:10:00Z',
    failure_reason: 'incident',
    failure_detected_at: '2026-09-01T15:00:00Z',
    remediation_merged_at: null,
    restored_at: '2026-09-01T18:00:00Z',
    time_to_restore: 3 * hour,
    pull_requests: [
      { id: 'a#1', title: null, number: 1, author: 'Ada', additions: 3, deletions: 0 },
      { title: 'no id' },
    ],
  };

  // Times of this year have no year.
  beforeAll(() => vi.setSystemTime('2026-11-16T12:00:00Z'));
  afterAll(() => vi.useRealTimers());

  test('One deployment is said in one sentence', () => {
    expect(saidText(deploymentSentence(row, 'Europe/London'))).toBe(
      'Went to production on 1 Sept, 15:10 with 2 pull requests, and counts as failed (incident). Restored after 3h.',
    );
    expect(saidText(deploymentSentence({ ...row, status: 'failure', restored_at: null }, 'Europe/London'))).toBe(
      'Failed on its way to production on 1 Sept, 15:10 with 2 pull requests. Not restored yet.',
    );
    expect(
      saidText(deploymentSentence({ ...row, status: 'cancelled', failure_reason: null }, 'Europe/London')),
    ).toContain('cancelled');
  });

  test('The clock of restoring ends where it was restored and is as long as the answer says', () => {
    const { events, clocks } = courseOf(row, 'Europe/London');
    expect(events.map(({ label }) => label)).toEqual(['Started', 'Deployed', 'Failure seen', 'Restored']);
    expect(clocks.map(({ name, value, from }) => [name, value, new Date(from).toISOString()])).toEqual([
      ['run', '10m', '2026-09-01T14:00:00.000Z'],
      ['time to restore', '3h', '2026-09-01T15:00:00.000Z'],
    ]);
  });

  test('One deployment lists what it carried with the times of the pull requests that are seen', () => {
    const [only, ...others] = carriedList(row, [{ pr_id: 'a#1', merge_to_deploy: 60, lead_time: null }]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: 'a#1', title: 'a#1', mergeToDeploy: 60, leadTime: null });
    expect(carriedList({ pull_requests: null }, [])).toEqual([]);
  });

  test('The link of a deployment names the day in the organisation’s zone, and carries what the reader looks at', () => {
    const late = { deployment_id: 'run:github:run/7', deployed_at: '2026-07-01T23:30:00Z' };
    expect(deploymentLink(aView({ range: '30d' }), late)).toBe(
      '/deployments/run%3Agithub%3Arun%2F7?r=30d&on=2026-07-02',
    );
  });
});
