import { storedNames } from '../../catalogue/table.ts';
import { type DeploymentRow, deployments, inferredId } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import { columnCopier, rowComparison } from '../../warehouse/row-shapes.ts';
import { type IntakeSession, patchDifferent } from '../write/intake-session.ts';
import { among } from './attribution-reader.ts';
import type { RepositoryAttribution } from './rules/attribute-repository.ts';
import { failureColumns } from './rules/failures.ts';
import { inferredColumns, inferredRow, ofPerson } from './rules/inferred-deployment.ts';
import { pullRequestAttributionColumns } from './rules/pull-request-attribution.ts';
import { releaseContentsColumns } from './rules/release-contents.ts';
import {
  type DeploymentAttribution,
  deploymentAttributionColumns,
  type RepositoryFacts,
  type StoredDeployment,
} from './rules/repository-facts.ts';
import type { TouchedRows } from './touched-rows.ts';

/** One repository: what is stored, and what follows from it. */
export interface Attributed {
  readonly facts: RepositoryFacts;
  readonly result: RepositoryAttribution;
}

/** Writes what has become different. */
export async function writeAttribution(
  session: IntakeSession,
  attributed: readonly Attributed[],
  touched: TouchedRows,
): Promise<void> {
  await writeDeployments(session, attributed, touched);
  const prs = attributed.flatMap(({ facts, result }) =>
    facts.pullRequests.map((row, i) => [row, result.pullRequests[i]] as const),
  );
  await patchDifferent(session, pullRequests, pullRequestAttributionColumns, prs);
  const releases = attributed.flatMap(({ facts, result }) =>
    facts.releases.map((row) => [row, result.releases.get(row.release_id ?? '')] as const),
  );
  await patchDifferent(session, releaseDetails, releaseContentsColumns, releases);
}

async function writeDeployments(
  session: IntakeSession,
  attributed: readonly Attributed[],
  touched: TouchedRows,
): Promise<void> {
  const gone: string[] = [];
  const toRead = new Set<string>();
  const stored: [StoredDeployment, DeploymentAttribution][] = [];
  for (const { facts, result } of attributed) {
    const missing = new Set(result.inferred.keys());
    const isWhole = touched.wholeRepositories.has(facts.key);
    for (const row of facts.deployments) {
      const id = row.deployment_id ?? '';
      const now = result.deployments.get(id);
      // A deployment that was inferred before cannot have changed unless its release, run or merge is in this batch.
      if (!isWhole && !touched.inferredDeployments.has(id)) missing.delete(id);
      if (!now) gone.push(id);
      else if (!missing.has(id)) stored.push([row, now]);
    }
    for (const id of missing) toRead.add(id);
  }
  // Removed first: another repository may infer a deployment of the same id now.
  if (gone.length > 0) await session.remove(deployments, among('deployment_id', gone));
  await putInferred(session, attributed, toRead);
  await patchDifferent(session, deployments, deploymentAttributionColumns, stored);
}

/** Reads these inferred deployments as whole rows and writes those that are new or different. */
async function putInferred(
  session: IntakeSession,
  attributed: readonly Attributed[],
  ids: ReadonlySet<string>,
): Promise<void> {
  if (ids.size === 0) return;
  const stored = await session.select(deployments, everyColumn, among('deployment_id', ids));
  const before = new Map(stored.map((row) => [row.deployment_id, row]));
  const byKey = new Map(attributed.map((one) => [one.facts.key, one]));
  const added: DeploymentRow[] = [];
  const changed: [stored: DeploymentRow, now: DeploymentRow][] = [];
  for (const { from, table } of inferringTables) {
    const prefix = inferredId(from, '');
    const sources = [...ids].flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
    if (sources.length === 0) continue;
    const isSource = among(table.key[0] ?? '', sources);
    for (const source of await session.select(table, inferredColumns[from] as never, isSource)) {
      const one = byKey.get((source as { readonly repository_key: string | null }).repository_key ?? '');
      const row = one && inferredRow(from, source, one.facts.settings, one.facts.branches.production);
      if (!row) continue;
      const known = before.get(row.deployment_id);
      // Whether it failed is decided later, and stays as it is until then.
      if (known) copyFailure(known, row);
      const attribution = one.result.deployments.get(row.deployment_id ?? '');
      if (attribution) copyAttribution(attribution, row);
      if (!known) added.push(row);
      else if (isOtherRow(row, known)) changed.push([known, row]);
    }
  }
  await session.put(deployments, added, { areNew: true });
  const rows = changed.map(([, now]) => now);
  await session.put(deployments, rows, { stored: changed.map(([known]) => known) });
}

/** The person who deployed is the author of the merge that a deployment stands for, whatever became of it. */
export async function writeDeployers(session: IntakeSession, { deployers }: TouchedRows): Promise<void> {
  if (deployers.size === 0) return;
  const ids = [...deployers].map((id) => inferredId('merge', id));
  const columns = ['deployment_id', 'origin', 'run_url', ...ofPerson] as const;
  const stored = await session.select(deployments, columns, among('deployment_id', ids));
  const merges = new Map(stored.filter(({ origin }) => origin === 'merge').map((row) => [row.deployment_id, row]));
  if (merges.size === 0) return;
  const prs = await session.select(pullRequests, ['pr_id', 'pr_url', ...ofPerson], among('pr_id', deployers));
  const written = prs.flatMap((pr) => {
    const row = merges.get(inferredId('merge', pr.pr_id ?? ''));
    return row ? [[row, { ...pr, run_url: pr.pr_url }] as const] : [];
  });
  await patchDifferent(session, deployments, ['run_url', ...ofPerson], written);
}

const inferringTables = [
  { from: 'release', table: releaseDetails },
  { from: 'run', table: workflowRuns },
  { from: 'merge', table: pullRequests },
] as const;

const everyColumn = storedNames(deployments) as readonly (keyof DeploymentRow)[];
const isOtherRow = rowComparison(everyColumn);
const copyFailure = columnCopier(failureColumns);
const copyAttribution = columnCopier(deploymentAttributionColumns);
