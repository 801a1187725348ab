import { firstIndexWhere } from '../../../binary-search.ts';
import type { DeploymentRow } from '../../../catalogue/tables/deployments.ts';
import { closedSpan } from '../../derive/span.ts';
import { compareOrder, type OrderedDeployment } from './deployment-order.ts';

export const failureColumns = [
  'failure_reason',
  'failure_detected_at',
  'remediation_merged_at',
  'restored_at',
  'time_to_restore',
] as const satisfies readonly (keyof DeploymentRow)[];
type DeploymentFailure = Pick<DeploymentRow, (typeof failureColumns)[number]>;

export const noFailure: DeploymentFailure = {
  failure_reason: null,
  failure_detected_at: null,
  remediation_merged_at: null,
  restored_at: null,
  time_to_restore: null,
};

/** A production deployment that succeeded or failed. */
export interface Deployed extends OrderedDeployment {
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
export interface Remedy extends OrderedDeployment {
  readonly createdAt: number | null;
  /** The deployment that brought it to production. */
  readonly deployed: OrderedDeployment | undefined;
}

export interface Reverted extends Remedy {
  /** The deployment that carried what it takes back. */
  readonly blames: string;
}

interface FailureReasons {
  readonly incidents: readonly Incident[];
  readonly reverts: readonly Reverted[];
  readonly hotfixes: readonly Remedy[];
  /** How long after a deployment an incident that names none is put down to it. */
  readonly incidentWindowSeconds: number;
}

/**
 * Which deployments failed, why, and when production was restored. The reasons are looked for in the order of their
 * precedence, each in the order of time, and the first that is found for a deployment stands.
 */
export function findFailures(deployed: readonly Deployed[], reasons: FailureReasons): Map<string, DeploymentFailure> {
  const byId = new Map(deployed.map((one) => [one.id, one]));
  const successes = deployed.filter(({ isSuccess }) => isSuccess);
  const failures = new Map<string, DeploymentFailure>();
  const blame = (one: Deployed | undefined, failure: (one: Deployed) => DeploymentFailure) => {
    if (one && !failures.has(one.id)) failures.set(one.id, failure(one));
  };
  failRuns(deployed, failures);
  for (const incident of reasons.incidents.toSorted(compareOrder)) {
    const { at, resolvedAt, deploymentId } = incident;
    const since = at - reasons.incidentWindowSeconds;
    const latest = deploymentId === null ? latestUntil(successes, at) : byId.get(deploymentId);
    if (deploymentId === null && latest && latest.at < since) continue;
    blame(latest, () => ({
      failure_reason: 'incident',
      failure_detected_at: at,
      remediation_merged_at: null,
      restored_at: resolvedAt,
      time_to_restore: closedSpan(at, resolvedAt),
    }));
  }
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
