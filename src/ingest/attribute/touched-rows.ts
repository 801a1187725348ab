import { type DeploymentRow, inferredId, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import type { IncidentRow } from '../../catalogue/tables/incidents.ts';
import type { CommitRow } from '../../catalogue/tables/pull-request-parts.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../catalogue/tables/workflow-runs.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import type { Batch } from '../apply/batch.ts';
import { attributedColumns } from './attributed-columns.ts';
import { isProductionDeploy } from './rules/production.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';

/** A row as far as it was read. A column that was not read has not changed. */
type Seen<R> = { readonly [C in keyof R]?: R[C] } | undefined;

/** A record must not change an inferred deployment, so every column that a record could change is compared. */
const inferredDeploymentColumns = [...attributedColumns.deployments, 'started_at', 'workflow_name', 'run_url'] as const;

const differ = <R>(before: Seen<R>, after: Seen<R>, columns: readonly (keyof R & string)[]): boolean =>
  !before || !after ? before !== after : rowComparison<string>(columns)(before, after);

/** What the rows of a batch touch, by how they were before it and how they are after it. */
export class TouchedRows {
  /** Keys of the repositories to attribute. */
  readonly repositories = new Set<string>();
  /** Those of them whose rows are all compared, not only the rows of the batch. */
  readonly wholeRepositories = new Set<string>();
  /** Ids of the deployments that are inferred from rows of the batch. */
  readonly inferredDeployments = new Set<string>();
  /** Ids of reported deployments that name pull requests, or did. */
  readonly namingDeployments = new Set<string>();
  /** Ids of deployments whose failures or counts may be others: incidents name them, or a carried row has gone. */
  readonly deploymentsToJudge = new Set<string>();
  /** Names that incidents give to their repositories. */
  readonly incidentNames = new Set<string>();
  readonly #maxIds: number;

  /** Beyond `maxIds` ids all rows of the repositories are compared: a change of any size is held in bounded memory. */
  constructor(maxIds = 50_000) {
    this.#maxIds = maxIds;
  }

  get isEmpty(): boolean {
    return [this.repositories, this.deploymentsToJudge, this.incidentNames].every(({ size }) => size === 0);
  }

  /** Everything that has changed in the tables of a batch. */
  collect(tables: Batch['tables'], settingsOf: SettingsOf): void {
    // The pull requests of touched commits have been read: their clocks follow from commits.
    const repositoryOf = (id: string) => tables.pull_requests.entries.get(id)?.after?.repository_key;
    for (const { before, after } of tables.pull_requests.changed()) this.pullRequest(before, after);
    for (const { before, after } of tables.pull_request_commits.changed()) this.commit(before, after, repositoryOf);
    for (const { before, after } of tables.deployments.changed()) this.deployment(before, after);
    for (const { before, after } of tables.release_details.changed()) this.release(before, after);
    for (const { before, after } of tables.workflow_runs.changed()) this.run(before, after, settingsOf);
    for (const { before, after } of tables.incidents.changed()) this.incident(before, after);
  }

  pullRequest(before: Seen<PullRequestRow>, after: Seen<PullRequestRow>): void {
    if (!differ(before, after, attributedColumns.pull_requests)) return;
    this.#infer(inferredId('merge', (before ?? after)?.pr_id ?? ''), before, after);
    const isElsewhere = before?.repository_key !== after?.repository_key;
    if (isElsewhere && before?.deployment_id) this.deploymentsToJudge.add(before.deployment_id);
  }

  /** `repositoryOf` finds the repository of a pull request by its id. */
  commit(
    before: Seen<CommitRow>,
    after: Seen<CommitRow>,
    repositoryOf: (pullRequestId: string) => string | null | undefined,
  ): void {
    if (!differ(before, after, attributedColumns.pull_request_commits)) return;
    for (const row of [before, after]) {
      const key = row?.pr_id && repositoryOf(row.pr_id);
      if (typeof key === 'string') this.repositories.add(key);
    }
  }

  deployment(before: Seen<DeploymentRow>, after: Seen<DeploymentRow>): void {
    const isReported = before?.origin === reportedOrigin || after?.origin === reportedOrigin;
    if (!differ(before, after, isReported ? attributedColumns.deployments : inferredDeploymentColumns)) return;
    for (const row of [before, after]) {
      if (!row) continue;
      // A record cannot change or remove an inferred deployment: it is inferred again from the rows it comes from.
      if (isReported) this.repositories.add(row.repository_key ?? noRepository);
      else if (typeof row.repository_key === 'string') this.repository(row.repository_key);
    }
    const id = (before ?? after)?.deployment_id;
    if (isReported && id && (before?.pr_ids || after?.pr_ids)) this.namingDeployments.add(id);
  }

  release(before: Seen<ReleaseRow>, after: Seen<ReleaseRow>): void {
    if (!differ(before, after, attributedColumns.release_details)) return;
    this.#infer(inferredId('release', (before ?? after)?.release_id ?? ''), before, after);
  }

  /** Most runs deploy nothing, and touch no repository. */
  run(before: Seen<WorkflowRunRow>, after: Seen<WorkflowRunRow>, settingsOf: SettingsOf): void {
    if (!differ(before, after, attributedColumns.workflow_runs)) return;
    const deploying = [before, after].filter(
      (row) =>
        row?.repository_key &&
        isProductionDeploy(
          { workflow_name: row.workflow_name ?? null, environment: row.environment ?? null },
          settingsOf(row.repository_key),
        ),
    );
    if (deploying.length > 0) this.#infer(inferredId('run', (before ?? after)?.workflow_run_id ?? ''), ...deploying);
  }

  incident(before: Seen<IncidentRow>, after: Seen<IncidentRow>): void {
    if (!differ(before, after, attributedColumns.incidents)) return;
    for (const row of [before, after]) {
      if (row?.deployment_id) this.deploymentsToJudge.add(row.deployment_id);
      if (row?.repository_key) this.incidentNames.add(row.repository_key);
    }
  }

  /** Everything about a repository: its settings have changed, or all of it is derived again. */
  repository(key: string): void {
    this.repositories.add(key);
    this.wholeRepositories.add(key);
  }

  /** A row that a deployment may be inferred from, in the repository that it is in and in the one that it was in. */
  #infer(deploymentId: string, ...rows: readonly Seen<{ readonly repository_key: string | null }>[]): void {
    for (const row of rows) {
      if (row?.repository_key !== undefined) this.repositories.add(row.repository_key ?? noRepository);
    }
    this.inferredDeployments.add(deploymentId);
    if (this.inferredDeployments.size <= this.#maxIds) return;
    for (const key of this.repositories) this.wholeRepositories.add(key);
    this.inferredDeployments.clear();
  }
}
