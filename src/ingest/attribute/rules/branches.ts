import type { RepositorySettings } from './repository-settings.ts';

/** The branches of a repository that matter for what is live. */
export interface Branches {
  readonly production: string;
  /** Whether what is merged into a branch is brought on from there, by a promotion. */
  isLongLived(branch: string): boolean;
}

/** Where nothing is set: what nearly everybody calls it, else what pull requests are merged into most. */
export function chooseProductionBranch(
  { productionBranch, defaultBranch }: Pick<RepositorySettings, 'productionBranch' | 'defaultBranch'>,
  bases: ReadonlyMap<string, number>,
): string {
  const set = productionBranch ?? defaultBranch;
  if (set !== null) return set;
  for (const usual of conventionalBranches) if (bases.has(usual)) return usual;
  const [most] = [...bases].sort(([a, times], [b, others]) => others - times || (a < b ? -1 : 1));
  return most?.[0] ?? 'main';
}

/** Names of which the first that is anywhere a base is the production branch. */
const conventionalBranches = ['main', 'master'] as const;

const trunks: ReadonlySet<string> = new Set([...conventionalBranches, 'trunk']);

const longLived =
  /^(?:develop|development|dev|staging|stage|next|integration|qa|uat|test|pre-?prod(?:uction)?|release|release\/.+|release-.+)$/i;

/** Tools that open a pull request for each release from a branch of their own. Nothing is merged into it before. */
const releaseTools = /^release-(?:please|plz|drafter)\b/i;

export function branchesOf(production: string, { defaultBranch }: Pick<RepositorySettings, 'defaultBranch'>): Branches {
  // Forks of a repository that was renamed from master to main offer changes from their master: no promotion. But where
  // production has a branch of its own, main is what is promoted to it, whether or not anybody says it is the default.
  const hasOwn = !trunks.has(production.toLowerCase());
  return {
    production,
    isLongLived: (branch) =>
      branch !== production &&
      (branch === defaultBranch ||
        (hasOwn && trunks.has(branch.toLowerCase())) ||
        (longLived.test(branch) && !releaseTools.test(branch))),
  };
}

/** A pull request, as far as it brings one branch into another. */
interface BranchMerge {
  readonly base_branch: string | null;
  readonly head_branch: string | null;
}

/** A long-lived branch into the production branch. */
export const isPromotion = ({ base_branch, head_branch }: BranchMerge, branches: Branches): boolean =>
  base_branch === branches.production && head_branch !== null && branches.isLongLived(head_branch);

/**
 * A promotion, or a step towards one: `develop` into `staging`, which is brought into `main` later. Neither has a change
 * of its own, so neither has a lead time.
 */
export const passesOn = (merging: BranchMerge, branches: Branches): boolean =>
  isPromotion(merging, branches) ||
  (merging.base_branch !== null &&
    merging.head_branch !== null &&
    merging.base_branch !== merging.head_branch &&
    branches.isLongLived(merging.base_branch) &&
    branches.isLongLived(merging.head_branch));

/** A pull request, as far as it decides how changes reach production. */
interface Merging {
  readonly pr_id: string;
  readonly base_branch: string | null;
  readonly head_branch: string | null;
  readonly pr_merged_at: number | null;
}

/** When something reached the production branch, and by which merge into it. */
export interface Arrival {
  readonly at: number;
  readonly by: string;
}

/**
 * When pull requests reached the production branch, each in its place: by their own merge, or by the earliest promotion
 * of the branch they were merged into, step by step where there are several. Undefined for those that have not.
 */
export function reachProduction(
  pullRequests: readonly Merging[],
  branches: Branches,
  isStep: readonly boolean[],
): (Arrival | undefined)[] {
  const arrivals = new Array<Arrival | undefined>(pullRequests.length).fill(undefined);
  /** How soon something that is on a branch now gets to production, going back in time. */
  const onward = new Map<string, Arrival>();
  const times = Float64Array.from(pullRequests, ({ pr_merged_at }) => pr_merged_at ?? Number.NaN);
  const mergedAt = (i: number | undefined): number => times[i ?? -1] ?? Number.NaN;
  const latestFirst: number[] = [];
  for (const [i, at] of times.entries()) if (!Number.isNaN(at)) latestFirst.push(i);
  latestFirst.sort((a, b) => mergedAt(b) - mergedAt(a));
  for (let next = 0; next < latestFirst.length; ) {
    const sameSecond: number[] = [];
    for (const at = mergedAt(latestFirst[next]); mergedAt(latestFirst[next]) === at; next += 1) {
      sameSecond.push(latestFirst[next] as number);
    }
    // Within one second each step may open the way for another, so this goes round until nothing is new.
    const steps = sameSecond.filter((i) => isStep[i]);
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const i of steps) {
        const arrival = arrivalOf(pullRequests[i] as Merging, branches, onward);
        const head = pullRequests[i]?.head_branch ?? '';
        if (!arrival || !isSooner(arrival, onward.get(head))) continue;
        onward.set(head, arrival);
        isNew = true;
      }
    }
    for (const i of sameSecond) arrivals[i] = arrivalOf(pullRequests[i] as Merging, branches, onward);
  }
  return arrivals;
}

function arrivalOf(
  { pr_id, base_branch, pr_merged_at }: Merging,
  branches: Branches,
  onward: ReadonlyMap<string, Arrival>,
): Arrival | undefined {
  if (base_branch === branches.production) return pr_merged_at === null ? undefined : { at: pr_merged_at, by: pr_id };
  return base_branch === null ? undefined : onward.get(base_branch);
}

const isSooner = (one: Arrival, other: Arrival | undefined): boolean =>
  !other || one.at < other.at || (one.at === other.at && one.by < other.by);
