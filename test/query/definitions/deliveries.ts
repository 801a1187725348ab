import { type Definitions, people, teams } from './definition.ts';

const deployment = (id: string, at: string, more: object) => ({
  deployment_id: id,
  repository: 'acme/shop',
  source: 'github',
  person_login: 'cy',
  deployed_at: at,
  status: 'success',
  environment: 'production',
  ...more,
});
const pr = (id: string, login: string, created: string, merged: string, more: object) => ({
  pr_id: id,
  source: 'github',
  repository: 'acme/shop',
  person_login: login,
  pr_state: 'merged',
  base_branch: 'main',
  pr_created_at: created,
  pr_merged_at: merged,
  ...more,
});

/**
 * d0 is the first. d1 carried q1; d2 carried q2 and caused an incident of two hours; d3 failed, and d4 made it good an
 * hour later. d5 was cancelled, d6 went to staging. In May the tills went back from t2 to t1 (t3), failed (t4), and got a
 * hotfix (t5).
 */
export const deliveryDefinitions: Definitions = {
  about: 'releases and deployments',
  filters: { start_date: '2024-04-01', end_date: '2024-04-30' },
  records: {
    people,
    teams,
    repositories: [{ repository: 'acme/shop', default_branch: 'main' }],
    pull_requests: [
      pr('q1', 'ada', '2024-04-02T00:00:00Z', '2024-04-03T00:00:00Z', {
        merge_queue_entered_at: '2024-04-02T23:00:00Z',
        first_commit_at: '2024-04-01T12:00:00Z',
      }),
      pr('q2', 'bo', '2024-04-04T00:00:00Z', '2024-04-04T06:00:00Z', {}),
      pr('q3', 'bo', '2024-05-05T00:00:00Z', '2024-05-05T06:00:00Z', {
        repository: 'acme/tills',
        head_branch: 'hotfix/drawer',
      }),
    ],
    deployments: [
      deployment('d0', '2024-04-01T00:00:00Z', {}),
      deployment('d1', '2024-04-03T12:00:00Z', { pr_ids: ['q1'], person_login: 'ada' }),
      deployment('d2', '2024-04-04T12:00:00Z', { pr_ids: ['q2'] }),
      deployment('d3', '2024-04-05T00:00:00Z', { status: 'failure' }),
      deployment('d4', '2024-04-05T01:00:00Z', {}),
      deployment('d5', '2024-04-06T00:00:00Z', { status: 'cancelled' }),
      deployment('d6', '2024-04-06T00:00:00Z', { environment: 'staging' }),
      deployment('t1', '2024-05-01T00:00:00Z', { repository: 'acme/tills', version: '1' }),
      deployment('t2', '2024-05-02T00:00:00Z', { repository: 'acme/tills', version: '2' }),
      deployment('t3', '2024-05-03T00:00:00Z', { repository: 'acme/tills', version: '1' }),
      deployment('t4', '2024-05-04T00:00:00Z', { repository: 'acme/tills', status: 'failure' }),
      deployment('t5', '2024-05-05T12:00:00Z', { repository: 'acme/tills', pr_ids: ['q3'] }),
      deployment('t6', '2024-05-06T00:00:00Z', { repository: 'acme/tills', status: 'cancelled' }),
    ],
    incidents: [
      {
        incident_id: 'n1',
        repository: 'acme/shop',
        deployment_id: 'd2',
        opened_at: '2024-04-04T13:00:00Z',
        resolved_at: '2024-04-04T15:00:00Z',
      },
    ],
    release_details: [
      {
        release_id: 'v1',
        repository: 'acme/other',
        source: 'github',
        person_login: 'cy',
        created_at: '2024-04-01T00:00:00Z',
        release_date: '2024-04-02T00:00:00Z',
      },
      {
        release_id: 'v2',
        repository: 'acme/other',
        source: 'github',
        person_login: 'ada',
        created_at: '2024-03-31T00:00:00Z',
        release_date: '2024-04-03T00:00:00Z',
        is_prerelease: true,
      },
    ],
  },
  cases: [
    { metric: 'releases-count', because: 'both, whoever made them', rows: [{ releases_count: 2 }] },
    {
      metric: 'releases-count',
      because: 'one was created in March',
      body: { date_field: 'created_at' },
      rows: [{ releases_count: 1 }],
    },
    {
      metric: 'deployment-frequency',
      because: 'd0, d1, d2, d4',
      body: { filters: { repositories: ['acme/shop'] } },
      rows: [{ deployment_frequency: 4 }],
    },
    {
      metric: 'deployment-frequency',
      because: 'the others stand in an export with 0, and what was carried beside it',
      body: {
        filters: { repositories: ['shop'] },
        group_by: ['deployment_id', 'status', 'failure_reason', 'prs_included', 'name'],
      },
      rows: [
        ['d0', 'success', null, 0, null, 1] as const,
        ['d1', 'success', null, 1, 'Ada', 1] as const,
        ['d2', 'success', 'incident', 1, null, 1] as const,
        ['d3', 'failure', 'failed_deployment', 0, null, 0] as const,
        ['d4', 'success', null, 0, null, 1] as const,
        ['d5', 'cancelled', null, 0, null, 0] as const,
        ['d6', 'success', null, 0, null, 0] as const,
      ].map(([deployment_id, status, failure_reason, prs_included, name, deployment_frequency]) => ({
        deployment_id,
        status,
        failure_reason,
        prs_included,
        name,
        deployment_frequency,
      })),
    },
    {
      metric: 'change-failure-rate',
      because: 'd2 and d3 of five',
      body: { filters: { repositories: ['acme/shop'] } },
      rows: [{ change_failure_rate: 0.4 }],
    },
    {
      metric: 'deployment-rework-rate',
      because: 'the rollback and the hotfix of five',
      body: { filters: { start_date: '2024-05-01', end_date: '2024-05-31' } },
      rows: [{ deployment_rework_rate: 0.4 }],
    },
    {
      metric: 'deployment-rework-rate',
      because: 'in an export a failed run is 0, and a cancelled one neither',
      body: { filters: { start_date: '2024-05-01', end_date: '2024-05-31' }, group_by: ['deployment_id'] },
      rows: [
        ['t1', 0] as const,
        ['t2', 0] as const,
        ['t3', 1] as const,
        ['t4', 0] as const,
        ['t5', 1] as const,
        ['t6', null] as const,
      ].map(([deployment_id, deployment_rework_rate]) => ({ deployment_id, deployment_rework_rate })),
    },
    {
      metric: 'time-to-restore-p50',
      because: 'half-way between one hour and two',
      rows: [{ time_to_restore_p50: 5_400 }],
    },
    {
      metric: 'time-to-restore',
      because: 'incident opened → resolved took longer than failed → next success',
      body: { aggregation: 'MAX' },
      rows: [{ max_time_to_restore: 7_200 }],
    },
    {
      metric: 'deployment-success-rate',
      because: 'four of five; cancelled ones count nowhere',
      body: { filters: { repositories: ['ACME/Shop'] } },
      rows: [{ deployment_success_rate: 0.8 }],
    },
    {
      metric: 'prs-per-deployment',
      because: 'two by four successful ones',
      body: { aggregation: 'AVG', filters: { repositories: ['acme/shop'] } },
      rows: [{ avg_prs_per_deployment: 0.5 }],
    },
    {
      metric: 'lead-time-for-changes',
      because: 'first commit → d1 took 48 h, creation → d2 12 h',
      body: { aggregation: 'AVG' },
      rows: [{ avg_lead_time_for_changes: 108_000 }],
    },
    { metric: 'lead-time-for-changes-p50', because: 'of the same two', rows: [{ lead_time_for_changes_p50: 108_000 }] },
    {
      metric: 'merge-to-deploy',
      because: '12 h and 6 h',
      body: { aggregation: 'AVG' },
      rows: [{ avg_merge_to_deploy: 32_400 }],
    },
    { metric: 'merge-to-deploy-p50', because: 'of the same two', rows: [{ merge_to_deploy_p50: 32_400 }] },
    {
      metric: 'open-to-deploy',
      because: '36 h and 12 h',
      body: { aggregation: 'AVG' },
      rows: [{ avg_open_to_deploy: 86_400 }],
    },
    {
      metric: 'queue-time',
      because: 'q1 entered the queue an hour before its merge',
      body: { aggregation: 'SUM' },
      rows: [{ sum_queue_time: 3_600 }],
    },
  ],
};
