import type { Row, Table } from '../../src/catalogue/table.ts';
import { factTableNames } from '../../src/catalogue/tables/all-tables.ts';
import { issues } from '../../src/catalogue/tables/issues.ts';
import { pullRequestReviews } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { workflowRuns } from '../../src/catalogue/tables/workflow-runs.ts';
import type { QuestionBody } from '../reference/question.ts';
import type { World } from '../reference/world.ts';
import { rowOf } from '../warehouse/some-warehouse.ts';

const at = Date.parse('2024-03-04T10:00:00Z') / 1_000;
const row = (table: Table, given: Row): Row => rowOf(table, given);
const pr = (pr_id: string, given: Row = {}): Row => row(pullRequests, { pr_id, pr_created_at: at, ...given });
const run = (workflow_run_id: string, ids: readonly string[]): Row =>
  row(workflowRuns, { workflow_run_id, run_created_at: at, associated_pr_ids: JSON.stringify(ids) });
const web = { repository: 'Acme/web', pr_number: 7 };

/** Rows by which ids with and without a source, and rows of other numbers, are told apart. */
export const shortIdWorld = (world: World): World => ({
  ...world,
  facts: {
    ...(Object.fromEntries(factTableNames.map((name) => [name, []])) as unknown as World['facts']),
    pull_requests: [
      pr('github:acme/web#7', web),
      pr('gitlab:Acme/Web#7'),
      pr('opaque', web),
      pr('github:acme/web#70', { repository: 'acme/web', pr_number: 70 }),
      pr('github:acme/old#8', { repository: 'acme/web', pr_number: 8 }),
    ],
    pull_request_reviews: [
      row(pullRequestReviews, { pr_review_id: 'r1', pr_id: 'opaque', ...web, reviewed_at: at, is_review: true }),
      row(pullRequestReviews, { pr_review_id: 'r2', pr_id: 'github:acme/web#7', reviewed_at: at, is_review: true }),
      row(pullRequestReviews, { pr_review_id: 'r3', pr_id: 'github:acme/web#70', reviewed_at: at, is_review: true }),
    ],
    issues: [
      row(issues, { issue_id: 'github:acme/web#3', created_at: at }),
      row(issues, { issue_id: 'opaque', issue_key: 'acme/web#3', created_at: at }),
      row(issues, { issue_id: 'ABC-3', issue_key: 'ABC-3', created_at: at }),
    ],
    workflow_runs: [
      run('w1', ['x', 'Acme/Web#7']),
      run('w2', ['gitlab:acme/web#7']),
      run('w3', ['github:acme/web#70']),
      run('w4', ['odd "quote/web#7']),
    ],
  },
});

interface ShortIdRequest {
  readonly metric: string;
  readonly body: QuestionBody;
  readonly ids: readonly string[];
  readonly unmatched?: Readonly<Record<string, readonly string[]>>;
}

const asked = (
  metric: string,
  key: string,
  filter: Readonly<Record<string, readonly string[]>>,
  ids: readonly string[],
  unmatched?: ShortIdRequest['unmatched'],
): ShortIdRequest => ({
  metric,
  body: { filters: { start_date: '2024-03-01', end_date: '2024-03-31', ...filter }, group_by: [key] },
  ids,
  ...(unmatched && { unmatched }),
});

/** What is asked with short ids, and the rows that they mean. */
export const shortIdRequests: readonly ShortIdRequest[] = [
  asked(
    'pull-requests-count',
    'pr_id',
    { pr_ids: ['acme/WEB#7', 'acme/web#9'] },
    ['github:acme/web#7', 'gitlab:Acme/Web#7', 'opaque'],
    { pr_ids: ['acme/web#9'] },
  ),
  asked('pull-requests-count', 'pr_id', { pr_ids: ['github:acme/web#7'] }, ['github:acme/web#7']),
  asked('pull-requests-count', 'pr_id', { pr_ids: ['acme/old#8'] }, ['github:acme/old#8']),
  asked('pull-requests-count', 'pr_id', { pr_ids: ['acme/web#8', 'opaque'] }, ['github:acme/old#8', 'opaque']),
  asked('reviews-count', 'pr_review_id', { pr_ids: ['acme/web#7'] }, ['r1', 'r2']),
  asked('issues-count', 'issue_id', { issue_ids: ['acme/web#3'] }, ['github:acme/web#3', 'opaque']),
  asked('workflow-runs-count', 'workflow_run_id', { associated_pr_ids: ['acme/web#7'] }, ['w1', 'w2']),
  asked('workflow-runs-count', 'workflow_run_id', { associated_pr_ids: ['github:acme/web#7'] }, ['w1']),
  asked(
    'workflow-runs-count',
    'workflow_run_id',
    { associated_pr_ids: ['gitlab:acme/web#7', 'b:acme/web#6'] },
    ['w1', 'w2'],
    { associated_pr_ids: ['b:acme/web#6'] },
  ),
];
