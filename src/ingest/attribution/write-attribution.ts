import { type RepositoryAttributionRow, repositoryAttribution } from '../../catalogue/ledgers/ledgers.ts';
import { type DeploymentRow, deployments } from '../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../catalogue/tables/release-details.ts';
import type { Writing } from '../../warehouse/warehouse.ts';
import type { RepositoryAttribution } from './attribute-repository.ts';
import { among, noRepository } from './conditions.ts';
import { failureColumns } from './failures.ts';
import { allColumns, type KnownRepositories } from './known-repositories.ts';
import { type PullRequestAttribution, pullRequestAttributionColumns } from './pull-request-attribution.ts';
import { releaseContentsColumns } from './release-contents.ts';
import {
  type DeploymentAttribution,
  deploymentAttributionColumns,
  type RepositoryFacts,
  type StoredRelease,
} from './repository-facts.ts';
import type { TouchedRows } from './touched-rows.ts';
import { deploymentsToRead, isSameDeployment, readInferred, readStored } from './write-inferred.ts';

/** One repository: what is stored, and what follows from it. */
export interface Attributed {
  readonly key: string;
  readonly facts: RepositoryFacts;
  readonly result: RepositoryAttribution;
}

/** Writes what has become different. */
export async function writeAttribution(
  session: Writing,
  attributed: readonly Attributed[],
  touched: TouchedRows,
  repositories: KnownRepositories,
): Promise<void> {
  await writeDeployments(session, attributed, touched);
  await writePullRequests(session, attributed);
  await writeReleases(session, attributed);
  await writeRepositories(session, attributed, repositories);
}

async function writeDeployments(
  session: Writing,
  attributed: readonly Attributed[],
  touched: TouchedRows,
): Promise<void> {
  const gone: string[] = [];
  const toRead: string[] = [];
  for (const { key, facts, result } of attributed) {
    const stored = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
    toRead.push(...deploymentsToRead(key, result.inferred.keys(), stored, touched));
    for (const { deployment_id: id, origin } of facts.deployments) {
      if (id !== null && origin !== 'stated' && !result.inferred.has(id)) gone.push(id);
    }
  }
  // Removed first: another repository may infer a deployment of the same id now.
  if (gone.length > 0) await session.remove(deployments, among('deployment_id', gone));
  const whole = await readInferred(session, toRead, new Map(attributed.map(({ key, facts }) => [key, facts])));
  const kept = await readStored(session, toRead);
  const put: DeploymentRow[] = [];
  const patched: (DeploymentAttribution & { readonly deployment_id: string })[] = [];
  for (const { facts, result } of attributed) {
    for (const [id, attribution] of result.deployments) {
      const row = whole.get(id);
      if (!row) continue;
      const before = kept.get(id);
      const after: DeploymentRow = { ...row, ...failureOf(before), ...attribution };
      if (!before || !isSameDeployment(before, after)) put.push(after);
    }
    for (const row of facts.deployments) {
      const id = row.deployment_id ?? '';
      const now = whole.has(id) ? undefined : result.deployments.get(id);
      if (now && deploymentAttributionColumns.some((column) => now[column] !== row[column])) {
        patched.push({ deployment_id: id, ...now });
      }
    }
  }
  await session.put(deployments, put);
  await session.patch(deployments, deploymentAttributionColumns, patched);
}

/** Whether a deployment failed is decided later, and stays as it is until then. */
const failureOf = (row: DeploymentRow | undefined): Partial<DeploymentRow> =>
  row ? Object.fromEntries(failureColumns.map((column) => [column, row[column]])) : {};

async function writePullRequests(session: Writing, attributed: readonly Attributed[]): Promise<void> {
  const changed: (PullRequestAttribution & { readonly pr_id: string })[] = [];
  const columns = new Set<(typeof pullRequestAttributionColumns)[number]>();
  for (const { facts, result } of attributed) {
    for (const pr of facts.pullRequests) {
      const now = result.pullRequests.get(pr.pr_id);
      if (!now) continue;
      const different = pullRequestAttributionColumns.filter((column) => now[column] !== pr[column]);
      if (different.length === 0) continue;
      changed.push({ pr_id: pr.pr_id, ...now });
      for (const column of different) columns.add(column);
    }
  }
  // Columns that are different in none of them need not be written.
  await session.patch(pullRequests, [...columns], changed);
}

async function writeReleases(session: Writing, attributed: readonly Attributed[]): Promise<void> {
  const changed: StoredRelease[] = [];
  for (const { facts, result } of attributed) {
    for (const row of facts.releases) {
      const now = { ...row, ...result.releases.get(row.release_id ?? '') };
      if (releaseContentsColumns.some((column) => now[column] !== row[column])) changed.push(now);
    }
  }
  await session.patch(releaseDetails, releaseContentsColumns, changed);
}

/** A repository is known while it has a pull request or a deployment. */
async function writeRepositories(
  session: Writing,
  attributed: readonly Attributed[],
  repositories: KnownRepositories,
): Promise<void> {
  const changed: RepositoryAttributionRow[] = [];
  const gone: string[] = [];
  for (const { key, facts, result } of attributed) {
    if (key === noRepository) continue;
    const before = repositories.attributionOf(key);
    if (facts.pullRequests.length === 0 && result.deployments.size === 0) {
      if (before) gone.push(key);
      repositories.note(key, undefined);
      continue;
    }
    const row: RepositoryAttributionRow = {
      repository_key: key,
      production_branch: facts.chosen.branches.production,
      deployment_source: facts.chosen.source,
      is_reported: facts.chosen.isReported,
      branching_model: result.model,
      is_active: facts.settings.isActive,
    };
    repositories.note(key, row);
    if (attributionColumns.some((column) => row[column] !== before?.[column])) changed.push(row);
  }
  await session.put(repositoryAttribution, changed);
  if (gone.length > 0) await session.remove(repositoryAttribution, among('repository_key', gone));
}

const attributionColumns = allColumns(repositoryAttribution);
