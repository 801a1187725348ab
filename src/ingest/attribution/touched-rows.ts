import type { DeploymentRow } from '../../catalogue/tables/deployments.ts';
import type { IncidentRow } from '../../catalogue/tables/incidents.ts';
import type { CommitRow } from '../../catalogue/tables/pull-request-commits.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../catalogue/tables/workflow-runs.ts';
import { inferredColumns } from './inferred-deployment.ts';

/** A row as far as it was read. A column that was not read has not changed. */
export type Seen<R> = { readonly [C in keyof R]?: R[C] };

/** A row before and after a batch. No `before`: the row is new; no `after`: the row is gone. */
export interface RowChange<R> {
  readonly before: Seen<R> | undefined;
  readonly after: Seen<R> | undefined;
}

/** Columns that attribution reads. A change of any other column touches nothing. */
const pullRequestColumns: readonly (keyof PullRequestRow)[] = [
  ...new Set<keyof PullRequestRow>([
    'pr_state',
    'pr_number',
    'pr_title',
    'pr_created_at',
    'opened_at',
    'first_commit_at',
    'head_branch',
    'is_hotfix',
    'revert_marks',
    ...inferredColumns.merge,
  ]),
];
const commitColumns: readonly (keyof CommitRow)[] = ['pr_id', 'sha'];
const reportedColumns = [
  'origin',
  'repository_key',
  'deployed_at',
  'status',
  'environment',
  'given_is_production',
  'given_deployment_source',
  'version',
  'sha',
  'pr_ids',
] as const satisfies readonly (keyof DeploymentRow)[];
const storedInferredColumns: readonly (keyof DeploymentRow)[] = [
  ...reportedColumns,
  'started_at',
  'workflow_name',
  'run_url',
];
const incidentColumns: readonly (keyof IncidentRow)[] = ['repository_key', 'opened_at', 'resolved_at', 'deployment_id'];

export const differ = <R>({ before, after }: RowChange<R>, columns: readonly (keyof R)[]): boolean =>
  !before || !after ? before !== after : columns.some((column) => before[column] !== after[column]);

/** The rows of a batch that attribution depends on, each before and after the batch. */
export class TouchedRows {
  readonly pullRequests = new Map<string, RowChange<PullRequestRow>>();
  readonly commits: RowChange<CommitRow>[] = [];
  /** Reported deployments. The others are inferred here. */
  readonly deployments = new Map<string, RowChange<DeploymentRow>>();
  readonly releases = new Map<string, RowChange<ReleaseRow>>();
  readonly runs = new Map<string, RowChange<WorkflowRunRow>>();
  readonly incidents: RowChange<IncidentRow>[] = [];
  /** Repositories whose inferred deployments are all compared with the rows they come from. */
  readonly repositories = new Set<string>();

  get isEmpty(): boolean {
    const { pullRequests, commits, deployments, releases, runs, incidents, repositories } = this;
    const sizes = [pullRequests, deployments, releases, runs, repositories].map(({ size }) => size);
    return [...sizes, commits.length, incidents.length].every((size) => size === 0);
  }

  pullRequest(before: Seen<PullRequestRow> | undefined, after: Seen<PullRequestRow> | undefined): void {
    const change = { before, after };
    if (differ(change, pullRequestColumns)) keep(this.pullRequests, (before ?? after)?.pr_id, change);
  }

  commit(before: Seen<CommitRow> | undefined, after: Seen<CommitRow> | undefined): void {
    const change = { before, after };
    if (differ(change, commitColumns)) this.commits.push(change);
  }

  deployment(before: Seen<DeploymentRow> | undefined, after: Seen<DeploymentRow> | undefined): void {
    const change = { before, after };
    const isReported = before?.origin === 'stated' || after?.origin === 'stated';
    if (!differ(change, isReported ? reportedColumns : storedInferredColumns)) return;
    if (isReported) keep(this.deployments, (before ?? after)?.deployment_id, change);
    // A record cannot change or remove an inferred deployment: it is inferred again from the rows it comes from.
    else
      for (const row of [before, after])
        if (typeof row?.repository_key === 'string') this.repository(row.repository_key);
  }

  release(before: Seen<ReleaseRow> | undefined, after: Seen<ReleaseRow> | undefined): void {
    const change = { before, after };
    if (differ(change, inferredColumns.release)) keep(this.releases, (before ?? after)?.release_id, change);
  }

  run(before: Seen<WorkflowRunRow> | undefined, after: Seen<WorkflowRunRow> | undefined): void {
    const change = { before, after };
    if (differ(change, inferredColumns.run)) keep(this.runs, (before ?? after)?.workflow_run_id, change);
  }

  incident(before: Seen<IncidentRow> | undefined, after: Seen<IncidentRow> | undefined): void {
    const change = { before, after };
    if (differ(change, incidentColumns)) this.incidents.push(change);
  }

  /** Everything about a repository: its settings have changed, or all of it is derived again. */
  repository(key: string): void {
    this.repositories.add(key);
  }
}

/** A row that a batch changes twice has gone from its first state to its last. */
function keep<R>(changes: Map<string, RowChange<R>>, id: string | null | undefined, change: RowChange<R>): void {
  if (id === null || id === undefined) return;
  const earlier = changes.get(id);
  changes.set(id, earlier ? { before: earlier.before, after: change.after } : change);
}
