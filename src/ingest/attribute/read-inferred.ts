import type { DeploymentRow } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import { among } from './conditions.ts';
import {
  fromMerge,
  fromRelease,
  fromRun,
  inferredColumns,
  mergeDeploymentId,
  releaseDeploymentId,
  runDeploymentId,
} from './rules/inferred-deployment.ts';
import type { RepositorySettings } from './rules/repository-settings.ts';

/** What deployments of a repository are inferred with. */
interface Inferring {
  readonly settings: RepositorySettings;
  readonly productionBranch: string;
}

/** Inferred deployments as whole rows, without what attribution and failures say about them. */
export async function readInferred(
  session: TableReader,
  deploymentIds: readonly string[],
  repositories: ReadonlyMap<string, Inferring>,
): Promise<DeploymentRow[]> {
  const idsOf = (toDeploymentId: (id: string) => string): string[] => {
    const prefix = toDeploymentId('');
    return deploymentIds.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
  };
  const rows: (DeploymentRow | undefined)[] = [];
  const releases = idsOf(releaseDeploymentId);
  if (releases.length > 0) {
    const found = await session.select(releaseDetails, inferredColumns.release, among('release_id', releases));
    for (const row of found) rows.push(fromRelease(row));
  }
  const runs = idsOf(runDeploymentId);
  if (runs.length > 0) {
    const found = await session.select(workflowRuns, inferredColumns.run, among('workflow_run_id', runs));
    for (const row of found) {
      const one = repositories.get(row.repository_key ?? '');
      if (one) rows.push(fromRun(row, one.settings));
    }
  }
  const merges = idsOf(mergeDeploymentId);
  if (merges.length > 0) {
    const found = await session.select(pullRequests, inferredColumns.merge, among('pr_id', merges));
    for (const row of found) {
      const one = repositories.get(row.repository_key ?? '');
      if (one) rows.push(fromMerge(row, one.productionBranch));
    }
  }
  return rows.flatMap((row) => row ?? []);
}
