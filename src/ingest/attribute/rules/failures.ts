import { firstIndexWhere } from '../../../binary-search.ts';
import { closedSpan } from '../../../calendar.ts';
import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import { listsByKey } from '../../../lists-by-key.ts';
import { compareOrder, type OrderedDeployment } from './deployment-contents.ts';
import { environmentKey } from './deployment-source.ts';

export const failureColumns = [
  'failure_reason',
  'failure_detected_at',
  'remediation_merged_at',
  'restored_at',
  'time_to_restore',
] as const satisfies readonly (keyof DeploymentRow)[];
export type DeploymentFailure = Pick<DeploymentRow, (typeof failureColumns)[number]>;

export const noFailure: DeploymentFailure = {
  failure_reason: null,
  failure_detected_at: null,
  remediation_merged_at: null,
  restored_at: null,
  time_to_restore: null,
};

/** A production deployment that succeeded or failed. */
interface Deployed extends OrderedDeployment {
  readonly environment: string;
  readonly isSuccess: boolean;
  readonly isRollback: boolean;
}

/** Placed by when it was opened. */
export interface Incident extends OrderedDeployment {
  readonly resolvedAt: number | null;
  /** The deployment that it names. */
  readonly deploymentId: string | null;
}

/** A merged pull request that puts something right, placed by its merge. */
interface Remedy extends OrderedDeployment {
  readonly createdAt: number | null;
  /** The deployment that brought it to production. */
  readonly deployed: OrderedDeployment | undefined;
}

export interface Reverted extends Remedy {
  /** The deployment that carried what it takes back. */
  readonly blames: string;
}

/** What is read of a deployment to decide whether it failed, and to count what it carried where it names that. */
export const judgedColumns = [
  'deployment_id',
  'repository_key',
  'deployed_at',
  'status',
  'environment',
  'is_production',
  'is_rollback',
  'prs_included',
  'is_remediation',
  ...failureColumns,
] as const satisfies readonly (keyof DeploymentRow)[];
export type JudgedDeployment = Pick<DeploymentRow, (typeof judgedColumns)[number]>;

/** Production deployments that succeeded or failed, in their order. Cancelled ones are neither. */
export function inProduction(rows: readonly JudgedDeployment[]): Deployed[] {
  const deployed = rows.flatMap((row) => {
    const { deployment_id: id, deployed_at: at, status } = row;
    if (id === null || at === null || row.is_production !== true) return [];
    if (status !== 'success' && status !== 'failure') return [];
    const environment = environmentKey(row.environment);
    return [{ id, at, environment, isSuccess: status === 'success', isRollback: row.is_rollback === true }];
  });
  return deployed.sort(compareOrder);
}

/** What is read of a revert or a hotfix. */
export const remedyColumns = [
  'pr_id',
  'repository_key',
  'pr_created_at',
  'pr_merged_at',
  'is_hotfix',
  'is_revert',
  'reverts_pr_id',
  'deployment_id',
  'deployed_at',
] as const satisfies readonly (keyof PullRequestRow)[];

/** A remedy with what it puts right and where. */
export interface LocatedRemedy extends Remedy {
  readonly repository_key: string | null;
  readonly revertsId: string | null;
  readonly isHotfix: boolean;
}

export const remedyOf = (row: Pick<PullRequestRow, (typeof remedyColumns)[number]>): LocatedRemedy => ({
  id: row.pr_id ?? '',
  at: row.pr_merged_at ?? 0,
  repository_key: row.repository_key,
  createdAt: row.pr_created_at,
  revertsId: row.is_revert === true ? row.reverts_pr_id : null,
  isHotfix: row.is_hotfix === true,
  deployed:
    row.deployment_id === null || row.deployed_at === null ? undefined : { id: row.deployment_id, at: row.deployed_at },
});

interface FailureReasons {
  readonly incidents: readonly Incident[];
  readonly reverts: readonly Reverted[];
  readonly hotfixes: readonly Remedy[];
  /** How long after a deployment an incident that names none is put down to it. */
  readonly incidentWindowSeconds: number;
}

/**
 * Which deployments failed, why, and when production was restored. The reasons are looked for in the order of their
 * precedence, and the first that is found for a deployment stands: all incidents together, else the first revert or hotfix.
 */
export function findFailures(deployed: readonly Deployed[], reasons: FailureReasons): Map<string, DeploymentFailure> {
  const byId = new Map(deployed.map((one) => [one.id, one]));
  const successes = deployed.filter(({ isSuccess }) => isSuccess);
  const failures = new Map<string, DeploymentFailure>();
  const blame = (one: Deployed | undefined, failure: (one: Deployed) => DeploymentFailure) => {
    if (one && !failures.has(one.id)) failures.set(one.id, failure(one));
  };
  failRuns(deployed, failures);
  const linked = listsByKey(reasons.incidents, ({ at, deploymentId }) => {
    if (deploymentId !== null) return byId.get(deploymentId);
    const latest = latestUntil(successes, at);
    return latest && latest.at >= at - reasons.incidentWindowSeconds ? latest : undefined;
  });
  for (const [one, incidents] of linked) blame(one, () => failedByIncidents(incidents));
  for (const revert of reasons.reverts.toSorted(compareOrder)) {
    const one = byId.get(revert.blames);
    // What was reverted before it was deployed has not been live: the same deployment brought both.
    if (one && !(revert.deployed && compareOrder(revert.deployed, one) <= 0)) blame(one, remedied('revert_pr', revert));
  }
  for (const hotfix of reasons.hotfixes.toSorted(compareOrder)) {
    blame(latestBefore(successes, hotfix), remedied('hotfix_pr', hotfix));
  }
  return failures;
}

/** Failed when the first was opened, and restored when the last of them is resolved: not while any is open. */
function failedByIncidents(incidents: readonly Incident[]): DeploymentFailure {
  let firstOpened = Number.POSITIVE_INFINITY;
  let lastResolved: number | null = Number.NEGATIVE_INFINITY;
  for (const { at, resolvedAt } of incidents) {
    firstOpened = Math.min(firstOpened, at);
    lastResolved = lastResolved === null || resolvedAt === null ? null : Math.max(lastResolved, resolvedAt);
  }
  return {
    failure_reason: 'incident',
    failure_detected_at: firstOpened,
    remediation_merged_at: null,
    restored_at: lastResolved,
    time_to_restore: closedSpan(firstOpened, lastResolved),
  };
}

const remedied =
  (reason: 'revert_pr' | 'hotfix_pr', { at, createdAt, deployed }: Remedy) =>
  (one: Deployed): DeploymentFailure => ({
    failure_reason: reason,
    failure_detected_at: createdAt,
    remediation_merged_at: at,
    restored_at: deployed?.at ?? null,
    time_to_restore: closedSpan(one.at, deployed?.at ?? null),
  });

/** A failed run is put right by the next success in its environment, a rolled back deployment by the rollback. */
function failRuns(deployed: readonly Deployed[], failures: Map<string, DeploymentFailure>): void {
  const failed = (one: Deployed, detectedAt: number, restoredAt: number | null): void => {
    failures.set(one.id, {
      failure_reason: 'failed_deployment',
      failure_detected_at: detectedAt,
      remediation_merged_at: null,
      restored_at: restoredAt,
      time_to_restore: closedSpan(one.at, restoredAt),
    });
  };
  const nextSuccess = new Map<string, Deployed>();
  for (const one of deployed.toReversed()) {
    const next = nextSuccess.get(one.environment);
    if (one.isSuccess) {
      if (next?.isRollback) failed(one, next.at, next.at);
      nextSuccess.set(one.environment, one);
    } else failed(one, one.at, next?.at ?? null);
  }
}

/** The last of those in order at or before a time. */
function latestUntil(successes: readonly Deployed[], at: number): Deployed | undefined {
  return successes[countUntil(successes, at) - 1];
}

/**
 * The latest that was live when a hotfix was merged. The one that brought the hotfix is not meant, even where its clock
 * was behind.
 */
function latestBefore(successes: readonly Deployed[], { at, deployed }: Remedy): Deployed | undefined {
  let i = countUntil(successes, at - 1) - 1;
  while (i >= 0 && deployed && successes[i]?.id === deployed.id) i -= 1;
  return successes[i];
}

function countUntil(successes: readonly Deployed[], at: number): number {
  return firstIndexWhere(0, successes.length, (i) => (successes[i] as Deployed).at > at);
}
