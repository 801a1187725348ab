import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { iso, start } from './history.ts';
import { people, repositories, sized } from './world.ts';

const at = (i: number): string => iso(start + i * 1_500);
const person = (i: number) => ({ person_login: `person${i % people}`, source: 'github' });
const repository = (i: number): string => `bench/repository-${i % repositories}`;
const pr = (i: number): string => `github:${repository(i % sized(40_000))}#${i % sized(40_000)}`;

/** One record of each of the other tables. */
export const others: Partial<Record<FactTable, (i: number) => object>> = {
  pull_request_comments: (i) => ({
    comment_id: `c${i}`,
    pr_id: pr(i),
    comment: 'Looks good to me',
    commented_at: at(i),
    ...person(i),
  }),
  pull_request_events: (i) => ({
    pr_id: pr(i),
    event_type: 'labeled',
    event_at: at(i),
    event_url: `u${i}`,
    ...person(i),
  }),
  issues: (i) => ({
    issue_id: `i${i}`,
    issue_key: `ABC-${i}`,
    issue_title: 'A thing to do',
    created_at: at(i),
    completed_at: at(i + 50),
    ticket_status: 'completed',
    ...person(i),
  }),
  issue_comments: (i) => ({
    issue_comment_id: `ic${i}`,
    issue_id: `i${i}`,
    comment: 'On it',
    created_at: at(i),
    ...person(i),
  }),
  workflow_runs: (i) => ({
    workflow_run_id: `w${i}`,
    workflow_name: 'CI',
    repository: repository(i),
    run_conclusion: 'success',
    run_created_at: at(i),
    run_started_at: at(i),
    run_updated_at: at(i + 1),
    billable_ms: { ubuntu: 60_000 },
    ...person(i),
  }),
  ai_copilot: (i) => ({
    person_login: `person${i % people}`,
    source: 'github-copilot',
    date: at(Math.floor(i / people) * 58).slice(0, 10),
    suggested_lines: 100,
    accepted_lines: 30,
  }),
  posthook_sessions: (i) => ({
    session_id: `s${i}`,
    engineer_email: `person${i % people}@bench.example`,
    agent_slug: 'claude-code',
    started_at: at(i),
    ended_at: at(i + 1),
    input_tokens: 1_000,
  }),
  posthook_session_messages: (i) => ({
    message_id: `m${i}`,
    session_id: `s${i}`,
    message_seq: 1,
    message_ts: at(i),
    role: 'user',
    message_text: 'Please',
  }),
  deployments: (i) => ({
    deployment_id: `d${i}`,
    repository: repository(i),
    deployed_at: at(i),
    status: 'success',
    environment: 'production',
    ...person(i),
  }),
};
