import { type InferredOrigin, inferredId, reportedOrigin } from '../../../catalogue/tables/deployments.ts';
import type { TimeSpan } from '../spans.ts';
import { type Arrival, passesOn, reachProduction } from './branches.ts';
import {
  type CarryingDeployment,
  CommitPositions,
  compareOrder,
  DeploymentContents,
  firstOf,
  LiveHistory,
  type OrderedDeployment,
  type Success,
  shaKey,
} from './deployment-contents.ts';
import { environmentKey, inferredFrom } from './deployment-source.ts';
import { findReverts } from './find-reverts.ts';
import { inferDeployments } from './inferred-deployment.ts';
import { attributePullRequest, type PullRequestAttribution } from './pull-request-attribution.ts';
import { noContents, type ReleaseContents, releaseContents, releasesAt } from './release-contents.ts';
import type {
  DeploymentAttribution,
  InferredDeployment,
  PlacedPullRequest,
  RepositoryFacts,
  StoredDeployment,
  StoredPullRequest,
} from './repository-facts.ts';
import { noRepository } from './repository-settings.ts';

/** Everything that follows for one repository in a span. */
export interface RepositoryAttribution {
  readonly model: PullRequestAttribution['branching_model'];
  /** In the order of the pull requests it follows from. */
  readonly pullRequests: readonly PullRequestAttribution[];
  /** Deployments inferred from releases, runs or merges, as far as attribution needs them. */
  readonly inferred: ReadonlyMap<string, InferredDeployment>;
  readonly deployments: ReadonlyMap<string, DeploymentAttribution>;
  readonly releases: ReadonlyMap<string, ReleaseContents>;
}

/**
 * Deployments, what each carried, what became of every pull request and what releases brought: all of it from the rows of
 * one repository, whatever was known before. What lies before the span stands, and what comes after it.
 */
export function attributeRepository(facts: RepositoryFacts): RepositoryAttribution {
  if (facts.key !== noRepository) return attribute(facts);
  // Releases that are in no repository any more are part of nothing.
  return {
    ...attribute({ ...facts, releases: [] }),
    releases: new Map(facts.releases.map(({ release_id }) => [release_id ?? '', noContents])),
  };
}

function attribute(facts: RepositoryFacts): RepositoryAttribution {
  const { key, pullRequests, settings, source, earlier, branches, span } = facts;
  const from = inferredFrom(key, settings, source);
  const reported = facts.deployments.filter(({ origin }) => origin === reportedOrigin);
  const reportedIds = new Set(reported.map(({ deployment_id }) => deployment_id));
  const inferred = inferDeployments(facts, from, reportedIds);
  const deployments = [...reported, ...inferred.values()];
  const isStep = pullRequests.map((pr) => passesOn(pr, branches));
  const reached = reachProduction(pullRequests, branches, isStep);
  const arrivals = pullRequests.map((pr, i) => arrivedBefore(pr, span) ?? reached[i] ?? arrivesAfter(pr, span));
  const { first, live } = liveDeployments(facts, from, successesOf(deployments), arrivals);
  const findDeployment = deploymentFinder(facts, from, live, first);
  const reverts = findReverts(facts);
  const releases = releaseContents(facts.releases, arrivals, earlier);
  const releasesOf = releasesAt(facts.releases, releases, earlier, span);
  const isPromoted = (pr: StoredPullRequest, i: number) => isStep[i] && isInto(pr, branches.production);
  const context = {
    productionBranch: branches.production,
    source: source.source,
    isActive: settings.isActive,
    model: earlier.isPromoted || pullRequests.some(isPromoted) ? ('promotion' as const) : ('trunk' as const),
    firstDeployedThrough: first?.deployedThrough ?? null,
  };
  const carried = new CarriedCounts();
  const attributed = pullRequests.map((pr, i) => {
    const arrival = arrivals[i];
    const found = chooseDeployment(findDeployment(pr, arrival), facts.namedBy.get(pr.pr_id), source.isReported);
    const isFoundHere = found !== undefined && found.at < span.until;
    const deployment = deployedBefore(pr, span) ?? (isFoundHere ? found : (deployedAfter(pr, span) ?? found));
    const { revertsId, isRevert } = reverts.get(pr.pr_id) ?? noRevert;
    const findings = {
      productionMergedAt: arrival?.at ?? null,
      releases: releasesOf(arrival?.at, pr),
      deployment,
      revertsId,
      isRevert,
      isStep: isStep[i] === true,
    };
    const result = attributePullRequest(pr, context, findings);
    if (result.deployment_id !== null) {
      carried.add(result.deployment_id, findings.isStep, isRevert || pr.is_hotfix === true);
    }
    return result;
  });
  return {
    model: context.model,
    pullRequests: attributed,
    inferred,
    deployments: deploymentAttributions(facts, deployments, live, carried),
    releases,
  };
}

const noRevert = { revertsId: null, isRevert: false } as const;

const isInto = ({ base_branch, pr_merged_at }: StoredPullRequest, branch: string): boolean =>
  pr_merged_at !== null && base_branch === branch;

/** What reached the production branch before the span did so then, whatever has happened since. */
function arrivedBefore({ pr_id, pr_merged_at, production_merged_at: at }: StoredPullRequest, { from }: TimeSpan) {
  return isBefore(pr_merged_at, from) && isBefore(at, from) ? { at, by: pr_id } : undefined;
}

/** What was deployed before the span was. */
function deployedBefore({ pr_merged_at, deployment_id: id, deployed_at: at }: StoredPullRequest, { from }: TimeSpan) {
  return id !== null && isBefore(pr_merged_at, from) && isBefore(at, from) ? { id, at } : undefined;
}

/** What reached the production branch after the span still does, where nothing in the span brought it there. */
function arrivesAfter({ pr_id, pr_merged_at, production_merged_at: at }: StoredPullRequest, { until }: TimeSpan) {
  return pr_merged_at !== null && at !== null && at >= until ? { at, by: pr_id } : undefined;
}

function deployedAfter({ pr_merged_at, deployment_id: id, deployed_at: at }: StoredPullRequest, { until }: TimeSpan) {
  return pr_merged_at !== null && id !== null && at !== null && at >= until ? { id, at } : undefined;
}

const isBefore = (at: number | null, moment: number): at is number => at !== null && at < moment;

/**
 * Of the deployment that names a pull request and the one that carried it by its time, the first. But what is reported
 * wins over what is inferred: where a deployment of another repository says that it brought this change, that is worth
 * more than the guess that its merge did.
 */
const chooseDeployment = (
  inTime: OrderedDeployment | undefined,
  naming: OrderedDeployment | undefined,
  isReported: boolean,
) => (isReported && naming ? firstOf([inTime, naming]) : (naming ?? inTime));

/** A successful production deployment with what was live with it. */
interface LiveDeployment extends CarryingDeployment {
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

/** Those in the span, and the first that there was. */
function liveDeployments(
  facts: RepositoryFacts,
  from: InferredOrigin | undefined,
  successes: readonly Success[],
  arrivals: readonly (Arrival | undefined)[],
): { readonly first: LiveDeployment | undefined; readonly live: readonly LiveDeployment[] } {
  if (from === 'merge') {
    const live = successes.map(({ id, at, sha }) => ({
      id,
      at,
      sha,
      deployedThrough: at,
      isRollback: false,
      isNaming: false,
    }));
    // A merge carries itself, the first one too, so no deployment is the first signal of such a repository.
    return { first: undefined, live };
  }
  const { earlier, naming } = facts;
  const [first] = successesOf(earlier.first ? [earlier.first] : []);
  const recalled = successesOf(earlier.live);
  const positions = commitPositions(facts, [...successes, ...recalled, ...(first ? [first] : [])], arrivals);
  const history = new LiveHistory();
  const areRollbacks = new Map(earlier.live.map(({ deployment_id, is_rollback }) => [deployment_id, is_rollback]));
  for (const one of recalled) {
    history.recall(one, positions.positionOf(one.sha, one.at), areRollbacks.get(one.id) === true);
  }
  const live = successes.map((one) => {
    const { id, at, sha } = one;
    const { deployedThrough, isRollback } = history.add(one, positions.positionOf(sha, at));
    return { id, at, sha, deployedThrough, isRollback, isNaming: naming.has(id) };
  });
  if (!first) return { first: live[0], live };
  const { id, at, sha } = first;
  const deployedThrough = positions.positionOf(sha, at) ?? at;
  return { first: { id, at, sha, deployedThrough, isRollback: false, isNaming: naming.has(id) }, live };
}

/** Where the commits stand that were deployed. */
function commitPositions(
  { pullRequests, commits, earlier, branches: { production } }: RepositoryFacts,
  successes: readonly Success[],
  arrivals: readonly (Arrival | undefined)[],
): CommitPositions {
  const positions = new CommitPositions();
  const deployed = new Set(successes.flatMap(({ sha }) => (sha === null ? [] : [shaKey(sha)])));
  const owners = new Set(commits.map(({ pr_id }) => pr_id));
  const merged = new Map<string, Parameters<CommitPositions['addMerge']>[1]>();
  const place = (pr: PlacedPullRequest, production_merged_at: number | null): void => {
    const { pr_id, pr_merged_at, base_branch, merge_commit_sha: sha } = pr;
    if (pr_merged_at === null || pr_id === null) return;
    const isDeployed = sha !== null && deployed.has(shaKey(sha));
    if (!isDeployed && !owners.has(pr_id)) return;
    const position = { pr_merged_at, production_merged_at, is_production_merge: base_branch === production };
    if (isDeployed) positions.addMerge(sha, position);
    if (owners.has(pr_id)) merged.set(pr_id, position);
  };
  for (const [i, pr] of pullRequests.entries()) place(pr, arrivals[i]?.at ?? null);
  for (const pr of earlier.placed) place(pr, pr.production_merged_at);
  for (const { sha, pr_id } of commits) {
    const position = merged.get(pr_id);
    if (position) positions.addCommit(sha, position);
  }
  return positions;
}

/** Finds the deployment that carried a pull request because it was the first to hold it. */
function deploymentFinder(
  { source }: RepositoryFacts,
  from: InferredOrigin | undefined,
  live: readonly LiveDeployment[],
  first: LiveDeployment | undefined,
): (pr: StoredPullRequest, arrival: Arrival | undefined) => OrderedDeployment | undefined {
  if (from === 'merge') return (_, arrival) => arrival && { id: inferredId('merge', arrival.by), at: arrival.at };
  const contents = new DeploymentContents(
    live.filter(({ id, isRollback, isNaming }) => id !== first?.id && !isRollback && !isNaming),
  );
  const firstMerge = source.source === 'merge_to_default' && !first?.isNaming ? first : undefined;
  return ({ merge_commit_sha }, arrival) => {
    if (!arrival || !first) return undefined;
    if (arrival.at > first.deployedThrough) return contents.deploymentOf(arrival.at);
    // Merges that are reported carry themselves, the first one too.
    const isFirst = firstMerge?.sha && merge_commit_sha && shaKey(firstMerge.sha) === shaKey(merge_commit_sha);
    return isFirst ? firstMerge : undefined;
  };
}

/** How many pull requests, changes and remedies each deployment carried. */
export class CarriedCounts {
  readonly #counts = new Map<string, { pullRequests: number; changes: number; remedies: number }>();

  /** A step passes on changes and has none of its own. A remedy is a revert or a hotfix. */
  add(deploymentId: string, isStep: boolean, isRemedy: boolean): void {
    const counts = this.#counts.get(deploymentId) ?? { pullRequests: 0, changes: 0, remedies: 0 };
    if (counts.pullRequests === 0) this.#counts.set(deploymentId, counts);
    counts.pullRequests += 1;
    if (!isStep) counts.changes += 1;
    if (!isStep && isRemedy) counts.remedies += 1;
  }

  /** A deployment that carried only reverts and hotfixes is a remediation. */
  of(deploymentId: string): Pick<DeploymentAttribution, 'prs_included' | 'is_remediation'> {
    const { pullRequests = 0, changes = 0, remedies = 0 } = this.#counts.get(deploymentId) ?? {};
    return { prs_included: pullRequests, is_remediation: remedies > 0 && remedies === changes };
  }
}

/**
 * A deployment that names what it carried may name pull requests of other repositories. Those are counted once all
 * repositories have been attributed, so its counts stay as they are here.
 */
function deploymentAttributions(
  { deployments: stored, naming, settings }: RepositoryFacts,
  deployments: readonly InferredDeployment[],
  live: readonly LiveDeployment[],
  carried: CarriedCounts,
): Map<string, DeploymentAttribution> {
  const rollbacks = new Map(live.map(({ id, isRollback }) => [id, isRollback]));
  const kept = new Map(
    stored.flatMap((row) => (naming.has(row.deployment_id ?? '') ? [[row.deployment_id, row]] : [])),
  );
  const attributed = new Map<string, DeploymentAttribution>();
  for (const { deployment_id: id } of deployments) {
    if (id === null) continue;
    const isRollback = rollbacks.get(id);
    const countedLater = isRollback !== undefined && settings.isActive ? kept.get(id) : undefined;
    const { prs_included, is_remediation } = countedLater ?? (isRollback === undefined ? nothing : carried.of(id));
    attributed.set(id, { is_rollback: isRollback ?? false, prs_included, is_remediation });
  }
  return attributed;
}

const nothing = { prs_included: 0, is_remediation: false } as const;
