import { storedColumns } from '../../catalogue/table.ts';
import { type DeploymentRow, deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../catalogue/tables/workflow-runs.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import type { IntakeSession } from '../write/intake-session.ts';
import { among } from './conditions.ts';
import type { RepositoryAttribution } from './rules/attribute-repository.ts';
import { failureColumns } from './rules/failures.ts';
import { inferredColumns, inferredId, inferredRow } from './rules/inferred-deployment.ts';
import { type PullRequestAttribution, pullRequestAttributionColumns } from './rules/pull-request-attribution.ts';
import { releaseContentsColumns } from './rules/release-contents.ts';
import {
  type DeploymentAttribution,
  deploymentAttributionColumns,
  type RepositoryFacts,
  type StoredRelease,
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
  await writePullRequests(session, attributed);
  await writeReleases(session, attributed);
}

async function writeDeployments(
  session: IntakeSession,
  attributed: readonly Attributed[],
  touched: TouchedRows,
): Promise<void> {
  const gone: string[] = [];
  const toRead: string[] = [];
  const patched: (DeploymentAttribution & { readonly deployment_id: string })[] = [];
  for (const { facts, result } of attributed) {
    const missing = new Set(result.inferred.keys());
    const isWhole = touched.wholeRepositories.has(facts.key);
    for (const row of facts.deployments) {
      const id = row.deployment_id ?? '';
      const now = result.deployments.get(id);
      // A deployment that was inferred before cannot have changed unless its release, run or merge is in this batch.
      if (!isWhole && !touched.inferredDeployments.has(id)) missing.delete(id);
      if (!now) gone.push(id);
      else if (!missing.has(id) && isOtherDeployment(now, row)) {
        patched.push({ deployment_id: id, ...now });
      }
    }
    toRead.push(...missing);
  }
  // Removed first: another repository may infer a deployment of the same id now.
  if (gone.length > 0) await session.remove(deployments, among('deployment_id', gone));
  await putInferred(session, attributed, toRead);
  await session.patch(deployments, deploymentAttributionColumns, patched);
}

/** Reads these inferred deployments as whole rows and writes those that are new or different. */
async function putInferred(
  session: IntakeSession,
  attributed: readonly Attributed[],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const attributions = new Map(attributed.flatMap(({ result }) => [...result.deployments]));
  const stored = await session.select(deployments, everyColumn, among('deployment_id', ids));
  const before = new Map(stored.map((row) => [row.deployment_id, row]));
  const terms = new Map(
    attributed.map(({ facts: { key, settings }, result: { productionBranch } }) => [
      key,
      { settings, productionBranch },
    ]),
  );
  const put: DeploymentRow[] = [];
  for (const { from, table } of inferringTables) {
    const prefix = inferredId[from]('');
    const sources = ids.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
    if (sources.length === 0) continue;
    const isSource = among(table.key[0] ?? '', sources);
    for (const source of await session.select(table, inferredColumns[from] as never, isSource)) {
      const term = terms.get((source as { readonly repository_key: string | null }).repository_key ?? '');
      const row = term && inferredRow(from, source, term);
      if (!row) continue;
      const known = before.get(row.deployment_id);
      const now: DeploymentRow = { ...row, ...failureOf(known), ...attributions.get(row.deployment_id ?? '') };
      if (!known || isOtherRow(now, known)) put.push(now);
    }
  }
  await session.put(deployments, put);
}

const inferringTables = [
  { from: 'release', table: releaseDetails },
  { from: 'run', table: workflowRuns },
  { from: 'merge', table: pullRequests },
] as const;

const everyColumn = [...storedColumns(deployments).keys()] as (keyof DeploymentRow)[];
const isOtherRow = rowComparison(everyColumn);
const isOtherDeployment = rowComparison(deploymentAttributionColumns);
const isOtherPullRequest = rowComparison(pullRequestAttributionColumns);
const isOtherRelease = rowComparison(releaseContentsColumns);

/** Whether a deployment failed is decided later, and stays as it is until then. */
const failureOf = (row: DeploymentRow | undefined): Partial<DeploymentRow> =>
  row ? Object.fromEntries(failureColumns.map((column) => [column, row[column]])) : {};

async function writePullRequests(session: IntakeSession, attributed: readonly Attributed[]): Promise<void> {
  const changed: (PullRequestAttribution & { readonly pr_id: string })[] = [];
  const columns = new Set<(typeof pullRequestAttributionColumns)[number]>();
  for (const { facts, result } of attributed) {
    for (const [i, pr] of facts.pullRequests.entries()) {
      const now = result.pullRequests[i];
      if (!now || !isOtherPullRequest(now, pr)) continue;
      changed.push({ pr_id: pr.pr_id, ...now });
      for (const column of pullRequestAttributionColumns) if (now[column] !== pr[column]) columns.add(column);
    }
  }
  // Columns that are different in none of them need not be written.
  await session.patch(pullRequests, [...columns], changed);
}

async function writeReleases(session: IntakeSession, attributed: readonly Attributed[]): Promise<void> {
  const changed: StoredRelease[] = [];
  for (const { facts, result } of attributed) {
    for (const row of facts.releases) {
      const now = { ...row, ...result.releases.get(row.release_id ?? '') };
      if (isOtherRelease(now, row)) changed.push(now);
    }
  }
  await session.patch(releaseDetails, releaseContentsColumns, changed);
}
