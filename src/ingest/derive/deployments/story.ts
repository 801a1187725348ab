import { Anchors, shaKey } from './anchors.ts';
import { type Branches, isPromotion, passesOn } from './branches.ts';
import { Carriage, type Carrier } from './carriage.ts';
import { compareOrder, firstOf, type Placed } from './deployment-order.ts';
import { mergeDeploymentId } from './derived-deployment.ts';
import { LiveHistory, type Success } from './live-history.ts';
import { environmentKey } from './production.ts';
import { type Arrival, type Merged, reachProduction } from './promotion.ts';
import { type BranchingModel, type PullRequestOutcome, tellOutcome } from './pull-request-outcome.ts';
import {
  type AnchorRow,
  type FirstSignal,
  isSettled,
  isSuccess,
  type Story,
  type StoryDeployment,
  type StoryFacts,
  type StoryPullRequest,
  type ToldColumns,
} from './story-facts.ts';

export function tellStory(facts: StoryFacts): Story {
  const { since, branches, isActive, isEveryMerge } = facts;
  const arrivals = tellArrivals(facts);
  const arrivedAt = (pr: StoryPullRequest): number | null => arrivals.get(pr.pr_id)?.at ?? null;
  const { first, successes } = isEveryMerge
    ? { first: undefined, successes: eachMerge(facts) }
    : tellSuccesses(facts, arrivedAt);
  const carrierInTime = carriersOf(facts, successes, first, arrivals);
  const story = {
    branches,
    isActive,
    source: facts.source,
    model: facts.model ?? modelOf(facts),
    firstUntil: first?.until ?? null,
  };
  const pullRequests = new Map<string, PullRequestOutcome>();
  const loads = new Map<string, Load>();
  for (const pr of facts.pullRequests) {
    const settled = isSettled(pr, since);
    const carrier = settled ? carriedBy(pr) : chooseCarrier(carrierInTime(pr), facts.naming.get(pr.pr_id), facts);
    const { revertsId, isRevert } = facts.reverts.get(pr.pr_id) ?? asKept(pr);
    const outcome = tellOutcome(pr, story, { productionMergedAt: arrivedAt(pr), carrier, revertsId, isRevert });
    pullRequests.set(pr.pr_id, outcome);
    if (!settled && outcome.deployment_id !== null) addTo(loads, outcome, pr, branches);
  }
  return { model: story.model, first, pullRequests, deployments: tellDeployments(facts, successes, loads) };
}

/**
 * Of the deployment that names a pull request and the one that carried it by its time, the first. But what is stated
 * wins over what is derived: where one deployment of another repository says that it brought this change, that is worth
 * more than the guess that its merge did.
 */
const chooseCarrier = (inTime: Placed | undefined, naming: Placed | undefined, { isStated }: StoryFacts) =>
  isStated ? firstOf([inTime, naming]) : (naming ?? inTime);

const modelOf = ({ pullRequests, branches }: StoryFacts): BranchingModel =>
  pullRequests.some((pr) => pr.pr_merged_at !== null && isPromotion(pr, branches)) ? 'promotion' : 'trunk';

const carriedBy = ({ deployment_id, deployed_at }: StoryPullRequest): Placed | undefined =>
  deployment_id === null || deployed_at === null ? undefined : { id: deployment_id, at: deployed_at };

const asKept = ({ revert_marks, reverts_pr_id, is_revert }: StoryPullRequest) =>
  revert_marks === null
    ? { revertsId: null, isRevert: false }
    : { revertsId: reverts_pr_id, isRevert: is_revert === true };

/** When pull requests reached production. Only what happened since can have changed that of those that had not. */
function tellArrivals({ pullRequests, branches, since }: StoryFacts): Map<string, Arrival> {
  const merged: Merged[] = [];
  const arrivals = new Map<string, Arrival>();
  for (const { pr_id, base_branch, head_branch, pr_merged_at, production_merged_at } of pullRequests) {
    if (pr_merged_at === null) continue;
    if (production_merged_at !== null && production_merged_at < since) {
      arrivals.set(pr_id, { at: production_merged_at, by: '' });
    } else merged.push({ pr_id, base_branch, head_branch, pr_merged_at });
  }
  for (const [id, arrival] of reachProduction(merged, branches)) arrivals.set(id, arrival);
  return arrivals;
}

/** A successful production deployment with what was live with it. */
interface LiveDeployment extends Carrier {
  readonly sha: string | null;
  readonly isRollback: boolean;
  /** Whether it names what it carried. */
  readonly isNaming: boolean;
}

function eachMerge({ deployments, since }: StoryFacts): LiveDeployment[] {
  return recentSuccesses(deployments, since).map((row) => ({
    ...row,
    carriedUntil: row.at,
    isRollback: false,
    isNaming: false,
  }));
}

interface RecentSuccess extends Success {
  readonly isNaming: boolean;
}

function recentSuccesses(deployments: readonly StoryDeployment[], since: number): RecentSuccess[] {
  return successesOf(deployments)
    .filter(({ at }) => at >= since)
    .sort(compareOrder);
}

const successesOf = (rows: readonly StoryDeployment[]): (RecentSuccess & { readonly until: number | null })[] =>
  rows.flatMap((row) => {
    const { deployment_id, deployed_at, sha, version } = row;
    if (!isSuccess(row) || deployment_id === null || deployed_at === null) return [];
    const environment = environmentKey(row.environment);
    const isNaming = row.pr_ids !== null;
    return [{ id: deployment_id, at: deployed_at, environment, sha, version, isNaming, until: row.carried_until }];
  });

function tellSuccesses(
  facts: StoryFacts,
  arrivedAt: (pr: StoryPullRequest) => number | null,
): { readonly first: FirstSignal | undefined; readonly successes: LiveDeployment[] } {
  const anchors = anchorsOf(facts, arrivedAt);
  const history = new LiveHistory();
  const earlier = [...facts.earlier, ...facts.deployments];
  for (const row of successesOf(earlier).sort(compareOrder)) {
    if (row.at >= facts.since) continue;
    history.recall({ ...row, carriedUntil: row.until ?? row.at, place: anchors.positionOf(row.sha, row.at) });
  }
  const successes = recentSuccesses(facts.deployments, facts.since).map((row) => ({
    ...row,
    ...history.tell(row, anchors.positionOf(row.sha, row.at)),
  }));
  const [earliest] = successes;
  const found = earliest && { id: earliest.id, at: earliest.at, until: earliest.carriedUntil };
  return { first: facts.first && facts.first.at < facts.since ? facts.first : found, successes };
}

function anchorsOf(
  { anchors: rows, pullRequests, branches }: StoryFacts,
  arrivedAt: (pr: StoryPullRequest) => number | null,
): Anchors {
  const told = new Map(pullRequests.map((pr) => [pr.pr_id, pr]));
  const anchors = new Anchors();
  const anchorOf = (row: AnchorRow) => {
    const known = told.get(row.pr_id);
    if (row.pr_merged_at === null) return undefined;
    return {
      merge_commit_sha: row.merge_commit_sha,
      pr_merged_at: row.pr_merged_at,
      production_merged_at: known ? arrivedAt(known) : row.production_merged_at,
      is_production_merge: row.base_branch === branches.production,
    };
  };
  for (const row of rows.merges) {
    const anchor = anchorOf(row);
    if (anchor) anchors.addMerge(anchor);
  }
  for (const { sha, owner } of rows.commits) {
    const anchor = anchorOf(owner);
    if (anchor) anchors.addCommit(sha, anchor);
  }
  return anchors;
}

/** Which deployment carried a pull request because it was the first to hold it. */
function carriersOf(
  { isEveryMerge, source }: StoryFacts,
  successes: readonly LiveDeployment[],
  first: FirstSignal | undefined,
  arrivals: ReadonlyMap<string, Arrival>,
): (pr: StoryPullRequest) => Placed | undefined {
  if (isEveryMerge) {
    return ({ pr_id }) => {
      const arrival = arrivals.get(pr_id);
      return arrival && { id: mergeDeploymentId(arrival.by), at: arrival.at };
    };
  }
  const carriage = new Carriage(
    successes.filter(({ id, isRollback, isNaming }) => id !== first?.id && !isRollback && !isNaming),
  );
  const firstMerge = source === 'merge_to_default' ? successes.find(({ id }) => id === first?.id) : undefined;
  return ({ pr_id, merge_commit_sha }) => {
    const at = arrivals.get(pr_id)?.at;
    if (at === undefined || !first) return undefined;
    if (at > first.until) return carriage.carrierOf(at);
    // Merges that are stated carry themselves, the first too.
    const isFirst = firstMerge?.sha && merge_commit_sha && shaKey(firstMerge.sha) === shaKey(merge_commit_sha);
    return isFirst && !firstMerge.isNaming ? firstMerge : undefined;
  };
}

/** What a deployment carried, counted. */
interface Load {
  pullRequests: number;
  /** Those that bring a change of their own. */
  changes: number;
  remedies: number;
}

function addTo(loads: Map<string, Load>, outcome: PullRequestOutcome, pr: StoryPullRequest, branches: Branches): void {
  const id = outcome.deployment_id ?? '';
  const load = loads.get(id) ?? { pullRequests: 0, changes: 0, remedies: 0 };
  loads.set(id, load);
  load.pullRequests += 1;
  if (passesOn(pr, branches)) return;
  load.changes += 1;
  if (outcome.is_revert === true || pr.is_hotfix === true) load.remedies += 1;
}

/** A deployment that carried only reverts and hotfixes puts something right. A promotion brings nothing of its own. */
export const isRemediation = ({ changes, remedies }: Pick<Load, 'changes' | 'remedies'>): boolean =>
  remedies > 0 && remedies === changes;

const nothingTold: ToldColumns = { carried_until: null, is_rollback: false, prs_included: 0, is_remediation: false };

/** What a deployment names may be in other repositories, so that is counted where all of them have been told. */
function tellDeployments(
  { deployments, isActive }: StoryFacts,
  successes: readonly LiveDeployment[],
  loads: ReadonlyMap<string, Load>,
): Map<string, ToldColumns> {
  const live = new Map(successes.map((one) => [one.id, one]));
  const told = new Map<string, ToldColumns>();
  for (const row of deployments) {
    const id = row.deployment_id ?? '';
    const one = live.get(id);
    const load = loads.get(id);
    if (!isSuccess(row)) told.set(id, nothingTold);
    else if (one) {
      const { carriedUntil: carried_until, isRollback: is_rollback } = one;
      const { prs_included, is_remediation } = row;
      const counted =
        one.isNaming && isActive
          ? { prs_included, is_remediation }
          : { prs_included: load?.pullRequests ?? 0, is_remediation: load ? isRemediation(load) : false };
      told.set(id, { carried_until, is_rollback, ...counted });
    }
  }
  return told;
}
