import { storedNames } from '../../../catalogue/table.ts';
import {
  type DeploymentRow,
  type deploymentStatuses,
  deployments,
  type InferredOrigin,
  inferredId,
} from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../../catalogue/tables/workflow-runs.ts';
import { columnCopier, columnPicker } from '../../../warehouse/row-shapes.ts';
import { isProductionDeploy } from './deployment-source.ts';
import type { InferredDeployment, RepositoryFacts } from './repository-facts.ts';
import type { RepositorySettings } from './repository-settings.ts';

/** The person and the repository of a row. */
export const ofPerson = [
  'source',
  'repository',
  'repository_name',
  'repository_key',
  'person_login',
  'person_source',
  'person_email',
  'person_name',
  'person_is_bot',
  'merged_user_id',
  'given_merged_user_id',
  'is_bot',
  'actor',
] as const;

/** What a deployment inferred from a row of each table takes from that row. */
export const inferredColumns = {
  release: ['release_id', 'version', 'release_url', 'created_at', 'release_date', 'is_prerelease', ...ofPerson],
  run: [
    'workflow_run_id',
    'workflow_name',
    'environment',
    'run_conclusion',
    'run_created_at',
    'run_started_at',
    'run_updated_at',
    'head_sha',
    'run_url',
    ...ofPerson,
  ],
  merge: ['pr_id', 'pr_url', 'pr_merged_at', 'base_branch', 'merge_commit_sha', ...ofPerson],
} as const satisfies {
  readonly release: readonly (keyof ReleaseRow)[];
  readonly run: readonly (keyof WorkflowRunRow)[];
  readonly merge: readonly (keyof PullRequestRow)[];
};

/** Of the columns that a deployment takes from a row, those that attribution needs, and the others where they were read. */
type Narrow<R, C extends keyof R, More extends keyof R> = Pick<R, C> & Partial<Pick<R, More>>;
type InferringRelease = Narrow<
  ReleaseRow,
  'release_id' | 'release_date' | 'is_prerelease' | 'version',
  'created_at' | 'release_url'
>;
type InferringRun = Narrow<
  WorkflowRunRow,
  | 'workflow_run_id'
  | 'workflow_name'
  | 'environment'
  | 'run_conclusion'
  | 'run_created_at'
  | 'run_started_at'
  | 'run_updated_at'
  | 'head_sha',
  'run_url'
>;
type InferringMerge = Narrow<PullRequestRow, 'pr_id' | 'pr_merged_at' | 'base_branch' | 'merge_commit_sha', 'pr_url'>;

/** What a deployment has of its own, beside the person and the repository of the row that it is inferred from. */
type OwnValues = InferredDeployment &
  Pick<DeploymentRow, 'deployment_source' | 'started_at' | 'workflow_name' | 'run_url'>;

/**
 * The deployment that a row stands for; undefined where it stands for none. Every value is named: a repository may have
 * a hundred thousand merges, and copying what they share takes several times as long.
 */
const inferring = {
  /** A published release that is no prerelease. */
  release: (row: InferringRelease): OwnValues | undefined => {
    if (row.release_id === null || row.release_date === null || row.is_prerelease === true) return undefined;
    return {
      deployment_id: inferredId('release', row.release_id),
      deployment_source: 'github_release',
      deployed_at: row.release_date,
      started_at: row.created_at ?? null,
      status: 'success',
      is_production: true,
      environment: null,
      workflow_name: null,
      version: row.version,
      sha: null,
      run_url: row.release_url ?? null,
    };
  },
  run: (row: InferringRun, settings: RepositorySettings): OwnValues | undefined => {
    const status = endings[row.run_conclusion ?? ''];
    if (status === undefined || row.workflow_run_id === null || !isProductionDeploy(row, settings)) return undefined;
    return {
      deployment_id: inferredId('run', row.workflow_run_id),
      deployment_source: 'workflow_run',
      deployed_at: row.run_updated_at ?? row.run_started_at ?? row.run_created_at,
      started_at: row.run_started_at ?? row.run_created_at,
      status,
      is_production: true,
      environment: row.environment,
      workflow_name: row.workflow_name,
      version: null,
      sha: row.head_sha,
      run_url: row.run_url ?? null,
    };
  },
  /** Where no other source is known, every merge into the production branch. The deployer is its author. */
  merge: (row: InferringMerge, _: RepositorySettings, productionBranch: string): OwnValues | undefined => {
    if (row.pr_id === null || row.pr_merged_at === null || row.base_branch !== productionBranch) return undefined;
    return {
      deployment_id: inferredId('merge', row.pr_id),
      deployment_source: 'merge_to_default',
      deployed_at: row.pr_merged_at,
      started_at: null,
      status: 'success',
      is_production: true,
      environment: null,
      workflow_name: null,
      version: null,
      sha: row.merge_commit_sha,
      run_url: row.pr_url ?? null,
    };
  },
} as const;

/** Conclusions of runs that are deployments, with the status of the deployment. */
const endings: Readonly<Record<string, (typeof deploymentStatuses)[number]>> = {
  success: 'success',
  failure: 'failure',
  timed_out: 'failure',
  startup_failure: 'failure',
  cancelled: 'cancelled',
};
export const conclusionsOfDeployments: readonly string[] = Object.keys(endings);

const wholeRow = columnPicker(storedNames(deployments));
const copyPerson = columnCopier(ofPerson);

/**
 * The deployment that a row stands for, as a whole row. The deployer is the person of the row it is inferred from. What
 * it carried and whether it failed follows later.
 */
export function inferredRow(
  from: InferredOrigin,
  row: Pick<DeploymentRow, (typeof ofPerson)[number]>,
  settings: RepositorySettings,
  productionBranch: string,
): DeploymentRow | undefined {
  const own = inferring[from](row as never, settings, productionBranch);
  if (!own) return undefined;
  const whole = wholeRow({ ...own, origin: from });
  copyPerson(row, whole);
  return whole as DeploymentRow;
}

/**
 * The deployments that a repository’s releases, runs or merges in the span stand for, as far as attribution needs them. A
 * deployment that was reported under the same id wins.
 */
export function inferDeployments(
  { releases, runs, pullRequests, settings, branches, span }: RepositoryFacts,
  from: InferredOrigin | undefined,
  reported: ReadonlySet<string | null>,
): Map<string, InferredDeployment> {
  const inferred = new Map<string, InferredDeployment>();
  if (from === undefined) return inferred;
  for (const row of { release: releases, run: runs, merge: pullRequests }[from]) {
    const one: InferredDeployment | undefined = inferring[from](row as never, settings, branches.production);
    if (!one?.deployment_id || reported.has(one.deployment_id)) continue;
    const { deployed_at: at } = one;
    if (at === null || (at >= span.from && at < span.until)) inferred.set(one.deployment_id, one);
  }
  return inferred;
}
