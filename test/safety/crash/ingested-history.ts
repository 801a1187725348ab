import type { TableRecords } from '../../../src/ingest/read/record-changes.ts';

export const organisationId = '0f0e0d0c-0b0a-4908-8706-050403020100';

export const people = [
  { merged_user_id: 'ada', main_email: 'ada@example.org', name: 'Ada', github_username: 'ada' },
  { merged_user_id: 'bea', main_email: 'bea@example.org', name: 'Bea', github_username: 'bea' },
  { merged_user_id: 'cal', main_email: 'cal@example.org', name: 'Cal', github_username: 'cal' },
];

const logins = ['ada', 'bea', 'cal', 'renovate[bot]'];
const at = (hours: number): string => new Date(Date.UTC(2024, 0, 8) + hours * 3_600_000).toISOString();

function pullRequest(i: number): Record<'pull_requests' | 'pull_request_reviews' | 'pull_request_commits', object[]> {
  const id = `p${i}`;
  return {
    pull_requests: [
      {
        pr_id: id,
        pr_number: i,
        pr_title: i % 7 === 6 ? `Revert "Change ${i - 1}"` : `Change ${i}`,
        source: 'github',
        repository: i % 2 === 0 ? 'acme/web' : 'acme/api',
        person_login: logins[i % 4],
        pr_state: 'merged',
        pr_created_at: at(i * 5),
        pr_merged_at: at(i * 5 + 4),
        base_branch: 'main',
        head_branch: `topic-${i}`,
        merge_commit_sha: `m${i}`,
        additions: i,
        deletions: 1,
      },
    ],
    pull_request_reviews: [
      { pr_review_id: `r${i}`, pr_id: id, person_login: logins[(i + 1) % 4], reviewed_at: at(i * 5 + 2) },
    ],
    pull_request_commits: [
      {
        commit_id: `${id}:c${i}`,
        pr_id: id,
        sha: `c${i}`,
        person_login: logins[i % 4],
        authored_at: at(i * 5 - 3),
        committed_at: at(i * 5 + 3),
      },
    ],
  };
}

const lines = (records: readonly object[]) => records.map((value, line) => ({ line, value }));

/** Some weeks of two repositories, in batches that change what earlier ones said. */
export const batches: readonly (readonly TableRecords[])[] = [0, 1, 2, 3].map((batch) => {
  const made = Array.from({ length: 10 }, (_, k) => pullRequest(batch * 10 + k));
  return [
    ...(['pull_requests', 'pull_request_reviews', 'pull_request_commits'] as const).map((table) => ({
      table,
      lines: lines(made.flatMap((one) => one[table])),
    })),
    {
      table: 'deployments' as const,
      lines: lines([
        { deployment_id: `d${batch}`, repository: 'acme/web', deployed_at: at(batch * 50 + 45), status: 'success' },
      ]),
    },
    {
      table: 'ai_copilot' as const,
      lines: lines([{ person_login: 'ada', source: 'cursor', date: at(batch * 50).slice(0, 10), accepts: 3 }]),
    },
  ];
});
