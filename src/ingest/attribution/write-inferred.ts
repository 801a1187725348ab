import { type DeploymentRow, deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import type { Reading } from '../../warehouse/warehouse.ts';
import { among, noRepository } from './conditions.ts';
import {
  fromMerge,
  fromRelease,
  fromRun,
  inferredColumns,
  mergeDeploymentId,
  releaseDeploymentId,
  runDeploymentId,
} from './inferred-deployment.ts';
import { allColumns } from './known-repositories.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Ids of the rows that inferred deployments are read from, by the table they are in. */
interface InferringRows {
  readonly release: Set<string>;
  readonly run: Set<string>;
  readonly merge: Set<string>;
}

const idPrefixes = {
  release: releaseDeploymentId(''),
  run: runDeploymentId(''),
  merge: mergeDeploymentId(''),
} as const;

/**
 * Which inferred deployments have to be read as whole rows: those that are new, those whose release, run or merge is in
 * this batch, and all of a repository that is derived again. The others cannot have changed.
 */
export function deploymentsToRead(
  key: string,
  inferred: Iterable<string>,
  stored: ReadonlySet<string | null>,
  touched: TouchedRows,
): string[] {
  const all = touched.repositories.has(key);
  return [...inferred].filter((id) => all || !stored.has(id) || isTouched(id, touched));
}

function isTouched(deploymentId: string, { releases, runs, pullRequests: merges }: TouchedRows): boolean {
  const from = deploymentId.slice(deploymentId.indexOf(':') + 1);
  if (deploymentId.startsWith(idPrefixes.release)) return releases.has(from);
  return deploymentId.startsWith(idPrefixes.run) ? runs.has(from) : merges.has(from);
}

/** These inferred deployments as whole rows, without what attribution and failures say about them. */
export async function readInferred(
  session: Reading,
  ids: readonly string[],
  facts: ReadonlyMap<string, RepositoryFacts>,
): Promise<Map<string, DeploymentRow>> {
  const from: InferringRows = { release: new Set(), run: new Set(), merge: new Set() };
  for (const id of ids) {
    const kind = (['release', 'run', 'merge'] as const).find((one) => id.startsWith(idPrefixes[one]));
    if (kind) from[kind].add(id.slice(idPrefixes[kind].length));
  }
  const rows: (DeploymentRow | undefined)[] = [];
  const factsOf = (row: { readonly repository_key: string | null }) => facts.get(row.repository_key ?? noRepository);
  if (from.release.size > 0) {
    const found = await session.select(releaseDetails, inferredColumns.release, among('release_id', from.release));
    for (const row of found) rows.push(fromRelease(row));
  }
  if (from.run.size > 0) {
    const found = await session.select(workflowRuns, inferredColumns.run, among('workflow_run_id', from.run));
    for (const row of found) {
      const settings = factsOf(row)?.settings;
      if (settings) rows.push(fromRun(row, settings));
    }
  }
  if (from.merge.size > 0) {
    const found = await session.select(pullRequests, inferredColumns.merge, among('pr_id', from.merge));
    for (const row of found) {
      const branch = factsOf(row)?.chosen.branches.production;
      if (branch !== undefined) rows.push(fromMerge(row, branch));
    }
  }
  return new Map(rows.flatMap((row) => (row?.deployment_id ? [[row.deployment_id, row]] : [])));
}

const everyColumn = allColumns(deployments);

/** The stored rows of these deployments, whole. */
export async function readStored(session: Reading, ids: readonly string[]): Promise<Map<string, DeploymentRow>> {
  if (ids.length === 0) return new Map();
  const rows = await session.select(deployments, everyColumn, among('deployment_id', ids));
  return new Map(rows.map((row) => [row.deployment_id ?? '', row]));
}

export const isSameDeployment = (a: DeploymentRow, b: DeploymentRow): boolean =>
  everyColumn.every((column) => a[column] === b[column]);
