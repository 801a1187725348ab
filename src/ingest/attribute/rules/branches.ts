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
