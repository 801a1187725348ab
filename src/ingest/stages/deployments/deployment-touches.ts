import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import type { IncidentRow } from '../../../catalogue/tables/incidents.ts';
import type { CommitRow } from '../../../catalogue/tables/pull-request-commits.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import { madeFrom } from '../../derive/deployments/derived-deployment.ts';

/** A row as far as it was read. What was not read has not changed. */
export type Seen<R> = { readonly [C in keyof R]?: R[C] };

/** A row before and after a batch. Absent before: it is new; absent after: it is gone. */
export interface Change<R> {
  readonly before: Seen<R> | undefined;
  readonly after: Seen<R> | undefined;
}

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
    ...madeFrom.merge,
  ]),
];
const commitColumns: readonly (keyof CommitRow)[] = ['pr_id', 'sha'];
const statedColumns = [
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
const madeColumns: readonly (keyof DeploymentRow)[] = [...statedColumns, 'started_at', 'workflow_name', 'run_url'];
const incidentColumns: readonly (keyof IncidentRow)[] = ['repository_key', 'opened_at', 'resolved_at', 'deployment_id'];

export const differ = <R>({ before, after }: Change<R>, columns: readonly (keyof R)[]): boolean =>
  !before || !after ? before !== after : columns.some((column) => before[column] !== after[column]);

/**
 * What a batch has changed of everything that deployments are told from. Each row is offered as it was and as it is; a
 * change that cannot matter is dropped here, and whether the others do is found out once for all of them.
 */
export class DeploymentTouches {
  readonly pullRequests = new Map<string, Change<PullRequestRow>>();
  readonly commits: Change<CommitRow>[] = [];
  /** Those that are stated. The others are made here. */
  readonly deployments = new Map<string, Change<DeploymentRow>>();
  readonly releases = new Map<string, Change<ReleaseRow>>();
  readonly runs = new Map<string, Change<WorkflowRunRow>>();
  readonly incidents: Change<IncidentRow>[] = [];
  /** Repositories that are told from their beginning. */
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
    const isStated = before?.origin === 'stated' || after?.origin === 'stated';
    if (!differ(change, isStated ? statedColumns : madeColumns)) return;
    if (isStated) keep(this.deployments, (before ?? after)?.deployment_id, change);
    // A record that was laid over one that is made here, or that removes it, has no say: it is made anew.
    else
      for (const row of [before, after])
        if (typeof row?.repository_key === 'string') this.repository(row.repository_key);
  }

  release(before: Seen<ReleaseRow> | undefined, after: Seen<ReleaseRow> | undefined): void {
    const change = { before, after };
    if (differ(change, madeFrom.release)) keep(this.releases, (before ?? after)?.release_id, change);
  }

  run(before: Seen<WorkflowRunRow> | undefined, after: Seen<WorkflowRunRow> | undefined): void {
    const change = { before, after };
    if (differ(change, madeFrom.run)) keep(this.runs, (before ?? after)?.workflow_run_id, change);
  }

  incident(before: Seen<IncidentRow> | undefined, after: Seen<IncidentRow> | undefined): void {
    const change = { before, after };
    if (differ(change, incidentColumns)) this.incidents.push(change);
  }

  /** Everything about a repository anew: its settings have changed, or nothing is to be taken as told. */
  repository(key: string): void {
    this.repositories.add(key);
  }
}

/** A row that is offered twice has gone from its first state to its last. */
function keep<R>(changes: Map<string, Change<R>>, id: string | null | undefined, { before, after }: Change<R>): void {
  if (id === null || id === undefined) return;
  const earlier = changes.get(id);
  changes.set(id, { before: earlier ? earlier.before : before, after });
}
