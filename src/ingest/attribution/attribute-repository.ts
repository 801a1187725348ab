import { type Branches, isPromotion, passesOn } from './branches.ts';
import { CommitPositions, shaKey } from './commit-positions.ts';
import { type Carrier, DeploymentContents } from './deployment-contents.ts';
import { compareOrder, firstOf, type Placed } from './deployment-order.ts';
import { findReverts } from './find-reverts.ts';
import { inferDeployments, mergeDeploymentId } from './inferred-deployment.ts';
import { LiveHistory, type Success } from './live-history.ts';
import { environmentKey } from './production.ts';
import { type Arrival, type Merged, reachProduction } from './promotion.ts';
import { attributePullRequest, type BranchingModel, type PullRequestAttribution } from './pull-request-attribution.ts';
import { type ReleaseContents, releaseContents } from './release-contents.ts';
import type {
  DeploymentAttribution,
  InferredDeployment,
  RepositoryFacts,
  StoredDeployment,
  StoredPullRequest,
} from './repository-facts.ts';

/** Everything that follows for one repository. */
export interface RepositoryAttribution {
  readonly model: BranchingModel;
  readonly pullRequests: ReadonlyMap<string, PullRequestAttribution>;
  /** Deployments inferred from releases, runs or merges, as far as they can be told without reading whole rows. */
  readonly inferred: ReadonlyMap<string, InferredDeployment>;
  readonly deployments: ReadonlyMap<string, DeploymentAttribution>;
  readonly releases: ReadonlyMap<string, ReleaseContents>;
}

/**
 * Deployments, what each carried, what became of every pull request and what releases brought: all of it from the rows of
 * one repository, whatever was known before.
 */
export function attributeRepository(facts: RepositoryFacts): RepositoryAttribution {
  const { pullRequests, chosen, settings } = facts;
  const { branches, source, inferredFrom } = chosen;
  const reported = facts.deployments.filter(({ origin }) => origin === 'stated');
  const inferred = inferDeployments(facts, new Set(reported.map(({ deployment_id }) => deployment_id)));
  const deployments = [...reported, ...inferred.values()];
  const arrivals = reachProduction(pullRequests.filter(isMerged), branches);
  const live = inferredFrom === 'merge' ? eachMerge(deployments) : liveDeployments(facts, deployments, arrivals);
  // A merge carries itself, the first one too, so no deployment is the first signal of such a repository.
  const first = inferredFrom === 'merge' ? undefined : live[0];
  const carrierOf = carriersOf(facts, live, first, arrivals);
  const reverts = findReverts(facts);
  const context = {
    branches,
    source,
    isActive: settings.isActive,
    model: modelOf(pullRequests, branches),
    firstDeployedThrough: first?.deployedThrough ?? null,
  };
  const attributed = new Map<string, PullRequestAttribution>();
  const loads = new Map<string, Load>();
  for (const pr of pullRequests) {
    const { revertsId, isRevert } = reverts.get(pr.pr_id) ?? { revertsId: null, isRevert: false };
    const productionMergedAt = arrivals.get(pr.pr_id)?.at ?? null;
    const carrier = chooseCarrier(carrierOf(pr), facts.namedBy.get(pr.pr_id), chosen.isReported);
    const result = attributePullRequest(pr, context, { productionMergedAt, carrier, revertsId, isRevert });
    attributed.set(pr.pr_id, result);
    if (result.deployment_id !== null) {
      const kind = passesOn(pr, branches) ? 'promotion' : isRevert || pr.is_hotfix === true ? 'remedy' : 'change';
      addTo(loads, result.deployment_id, kind);
    }
  }
  return {
    model: context.model,
    pullRequests: attributed,
    inferred,
    deployments: attributeDeployments(facts, deployments, live, loads),
    releases: releaseContents(
      facts.releases,
      [...arrivals.values()].map(({ at }) => at),
    ),
  };
}

const isMerged = (pr: StoredPullRequest): pr is StoredPullRequest & Merged => pr.pr_merged_at !== null;

const modelOf = (pullRequests: readonly StoredPullRequest[], branches: Branches): BranchingModel =>
  pullRequests.some((pr) => isMerged(pr) && isPromotion(pr, branches)) ? 'promotion' : 'trunk';

/**
 * Of the deployment that names a pull request and the one that carried it by its time, the first. But what is reported
 * wins over what is inferred: where a deployment of another repository says that it brought this change, that is worth
 * more than the guess that its merge did.
 */
const chooseCarrier = (inTime: Placed | undefined, naming: Placed | undefined, isReported: boolean) =>
  isReported ? firstOf([inTime, naming]) : (naming ?? inTime);

/** A successful production deployment with what was live with it. */
interface LiveDeployment extends Carrier {
  readonly sha: string | null;
  readonly isRollback: boolean;
  /** Whether it names what it carried. */
  readonly isNaming: boolean;
}

export const isSuccess = (row: Pick<StoredDeployment, 'is_production' | 'status' | 'deployed_at'>): boolean =>
  row.is_production === true && row.status === 'success' && row.deployed_at !== null;

/** Successful production deployments in their order. */
function successesOf(deployments: readonly InferredDeployment[]): Success[] {
  const successes = deployments.flatMap((row) => {
    const { deployment_id: id, deployed_at: at, sha, version } = row;
    if (!isSuccess(row) || id === null || at === null) return [];
    return [{ id, at, environment: environmentKey(row.environment), sha, version }];
  });
  return successes.sort(compareOrder);
}

const eachMerge = (deployments: readonly InferredDeployment[]): LiveDeployment[] =>
  successesOf(deployments).map((one) => ({ ...one, deployedThrough: one.at, isRollback: false, isNaming: false }));

function liveDeployments(
  facts: RepositoryFacts,
  deployments: readonly InferredDeployment[],
  arrivals: ReadonlyMap<string, Arrival>,
): LiveDeployment[] {
  const positions = commitPositions(facts, arrivals);
  const history = new LiveHistory();
  return successesOf(deployments).map((one) => {
    const { deployedThrough, isRollback } = history.add(one, positions.positionOf(one.sha, one.at));
    return { ...one, deployedThrough, isRollback, isNaming: facts.naming.has(one.id) };
  });
}

function commitPositions(
  { pullRequests, commits, chosen }: RepositoryFacts,
  arrivals: ReadonlyMap<string, Arrival>,
): CommitPositions {
  const positions = new CommitPositions();
  const merged = new Map(
    pullRequests.filter(isMerged).map((pr) => [
      pr.pr_id,
      {
        pr_merged_at: pr.pr_merged_at,
        production_merged_at: arrivals.get(pr.pr_id)?.at ?? null,
        is_production_merge: pr.base_branch === chosen.branches.production,
        sha: pr.merge_commit_sha,
      },
    ]),
  );
  for (const pr of merged.values()) if (pr.sha !== null) positions.addMerge(pr.sha, pr);
  for (const { sha, pr_id } of commits) {
    const pr = merged.get(pr_id);
    if (pr) positions.addCommit(sha, pr);
  }
  return positions;
}

/** Which deployment carried a pull request because it was the first to hold it. */
function carriersOf(
  { chosen }: RepositoryFacts,
  live: readonly LiveDeployment[],
  first: LiveDeployment | undefined,
  arrivals: ReadonlyMap<string, Arrival>,
): (pr: StoredPullRequest) => Placed | undefined {
  if (chosen.inferredFrom === 'merge') {
    return ({ pr_id }) => {
      const arrival = arrivals.get(pr_id);
      return arrival && { id: mergeDeploymentId(arrival.by), at: arrival.at };
    };
  }
  const contents = new DeploymentContents(
    live.filter(({ id, isRollback, isNaming }) => id !== first?.id && !isRollback && !isNaming),
  );
  const firstMerge = chosen.source === 'merge_to_default' && !first?.isNaming ? first : undefined;
  return ({ pr_id, merge_commit_sha }) => {
    const at = arrivals.get(pr_id)?.at;
    if (at === undefined || !first) return undefined;
    if (at > first.deployedThrough) return contents.carrierOf(at);
    // Merges that are reported carry themselves, the first one too.
    const isFirst = firstMerge?.sha && merge_commit_sha && shaKey(firstMerge.sha) === shaKey(merge_commit_sha);
    return isFirst ? firstMerge : undefined;
  };
}

/** What a deployment carried, counted. */
interface Load {
  pullRequests: number;
  /** Pull requests with a change of their own: a promotion has none. */
  changes: number;
  /** Changes that are reverts or hotfixes. */
  remedies: number;
}

export type CarriedKind = 'promotion' | 'remedy' | 'change';

export function addTo(loads: Map<string, Load>, deploymentId: string, kind: CarriedKind): void {
  const load = loads.get(deploymentId) ?? { pullRequests: 0, changes: 0, remedies: 0 };
  loads.set(deploymentId, load);
  load.pullRequests += 1;
  if (kind !== 'promotion') load.changes += 1;
  if (kind === 'remedy') load.remedies += 1;
}

/** A deployment that carried only reverts and hotfixes is a remediation. */
export const countsOf = (load: Load | undefined): Pick<DeploymentAttribution, 'prs_included' | 'is_remediation'> => ({
  prs_included: load?.pullRequests ?? 0,
  is_remediation: load !== undefined && load.remedies > 0 && load.remedies === load.changes,
});

/**
 * A deployment that names what it carried may name pull requests of other repositories. Those are counted once all
 * repositories have been attributed, so its counts stay as they are here.
 */
function attributeDeployments(
  { deployments: stored, naming, settings }: RepositoryFacts,
  deployments: readonly InferredDeployment[],
  live: readonly LiveDeployment[],
  loads: ReadonlyMap<string, Load>,
): Map<string, DeploymentAttribution> {
  const liveById = new Map(live.map((one) => [one.id, one]));
  const storedById = new Map(stored.map((row) => [row.deployment_id, row]));
  const attributed = new Map<string, DeploymentAttribution>();
  for (const { deployment_id: id } of deployments) {
    if (id === null) continue;
    const is_rollback = liveById.get(id)?.isRollback ?? false;
    const row = storedById.get(id);
    const isCountedLater = liveById.has(id) && naming.has(id) && settings.isActive;
    const counts = isCountedLater && row ? row : countsOf(liveById.has(id) ? loads.get(id) : undefined);
    attributed.set(id, { is_rollback, prs_included: counts.prs_included, is_remediation: counts.is_remediation });
  }
  return attributed;
}
