import { type Definitions, people, teams } from './definition.ts';

const session = (id: string, login: string, more: object) => ({
  session_id: id,
  engineer_email: `${login}@example.org`,
  agent_slug: 'claude-code',
  started_at: '2024-03-04T10:00:00Z',
  ...more,
});

export const sessionDefinitions: Definitions = {
  about: 'AI coding sessions',
  filters: { start_date: '2024-03-01', end_date: '2024-03-31' },
  records: {
    people,
    teams,
    posthook_sessions: [
      session('s1', 'ada', { generated_lines: 10 }),
      session('s2', 'ada', { generated_lines: 0, committed_lines: 0 }),
      session('s3', 'bo', { committed_lines: 5 }),
      session('s4', 'cy', { generated_lines: 10 }),
    ],
    posthook_session_messages: [
      { message_id: 'm1', session_id: 's1', message_seq: 1 },
      { message_id: 'm2', session_id: 's1', message_seq: 2 },
      { message_id: 'm3', session_id: 's2', message_seq: 1 },
      { message_id: 'm4', session_id: 's4', message_seq: 1 },
    ],
    posthook_session_files: [
      { session_id: 's1', file_path: 'a.ts' },
      { session_id: 's3', file_path: 'a.ts' },
      { session_id: 's4', file_path: 'a.ts' },
    ],
    posthook_session_commits: [
      { session_id: 's3', commit_id: 'abc' },
      { session_id: 's4', commit_id: 'abc' },
    ],
  },
  cases: [
    {
      metric: 'posthook-sessions-count',
      because: 's1 generated, s3 committed',
      rows: [{ posthook_sessions_count: 2 }],
    },
    {
      metric: 'posthook-sessions-count',
      because: 'one with neither is there with 0',
      body: { group_by: ['session_id'] },
      rows: [
        { session_id: 's1', posthook_sessions_count: 1 },
        { session_id: 's2', posthook_sessions_count: 0 },
        { session_id: 's3', posthook_sessions_count: 1 },
      ],
    },
    {
      metric: 'posthook-session-message-counts',
      because: 'two of s1, one of s2',
      rows: [{ posthook_session_message_counts: 3 }],
    },
    {
      metric: 'posthook-session-message-counts',
      because: 'those of one session',
      body: { filters: { session_id: 's1' } },
      rows: [{ posthook_session_message_counts: 2 }],
    },
    {
      metric: 'posthook-session-file-counts',
      because: 'one each of s1, s3',
      rows: [{ posthook_session_file_counts: 2 }],
    },
    { metric: 'posthook-session-commit-counts', because: 's3', rows: [{ posthook_session_commit_counts: 1 }] },
  ],
};

const run = (id: string, login: string, ended: string, more: object) => ({
  workflow_run_id: id,
  workflow_name: 'Build',
  source: 'github',
  repository: 'acme/web',
  person_login: login,
  run_created_at: '2024-03-04T10:00:00Z',
  run_started_at: '2024-03-04T10:00:00Z',
  run_updated_at: ended,
  ...more,
});

export const runDefinitions: Definitions = {
  about: 'workflow runs',
  filters: { start_date: '2024-03-01', end_date: '2024-03-31' },
  settings: { runner_prices: '{"ubuntu": 0.25, "windows": 0.5, "macos": 2}' },
  records: {
    people,
    teams,
    workflow_runs: [
      run('w1', 'ada', '2024-03-04T10:10:00Z', {
        run_conclusion: 'success',
        artifact_bytes: 1_000,
        billable_ms: { ubuntu: 600_000 },
      }),
      run('w2', 'renovate[bot]', '2024-03-04T10:05:00Z', {
        run_conclusion: 'failure',
        artifact_bytes: 3_000,
        billable_ms: { ubuntu: 60_000, macos: 120_000 },
      }),
      run('w3', 'bo', '2024-03-04T10:30:00Z', {}),
      run('w4', 'cy', '2024-03-04T10:15:00Z', { run_conclusion: 'success' }),
    ],
  },
  cases: [
    { metric: 'workflow-runs-count', because: 'whoever triggered them', rows: [{ workflow_runs_count: 4 }] },
    {
      metric: 'workflow-runs-count',
      because: 'by person those of the bot and of Cy are nobody’s',
      body: { group_by: ['name'] },
      rows: [
        { name: 'Ada', workflow_runs_count: 1 },
        { name: 'Bo', workflow_runs_count: 1 },
        { name: null, workflow_runs_count: 2 },
      ],
    },
    {
      metric: 'workflow-run-duration',
      because: '600, 300, 900; w3 has no conclusion yet',
      body: { aggregation: 'AVG' },
      rows: [{ avg_workflow_run_duration: 600 }],
    },
    {
      metric: 'workflow-run-duration-p95',
      because: 'nine tenths of the way from 600 to 900',
      rows: [{ workflow_run_duration_p95: 870 }],
    },
    { metric: 'workflow-run-success-rate', because: 'two of three', rows: [{ workflow_run_success_rate: 2 / 3 }] },
    {
      metric: 'artifact-sizes',
      because: '(1000 + 3000) / 2',
      body: { aggregation: 'AVG' },
      rows: [{ avg_artifact_sizes: 2_000 }],
    },
    {
      metric: 'estimated-workflow-run-cost',
      because: '10 min × 0.25 = 2.5; 1 min × 0.25 + 2 min × 2 = 4.25',
      body: { aggregation: 'MAX' },
      rows: [{ max_estimated_workflow_run_cost: 4.25 }],
    },
  ],
};
