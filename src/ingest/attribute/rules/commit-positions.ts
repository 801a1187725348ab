import { addToList } from '../../../lists-by-key.ts';

/** A merged pull request whose commits a deployment may have been built from. */
interface MergedPullRequest {
  readonly pr_merged_at: number;
  readonly production_merged_at: number | null;
  readonly is_production_merge: boolean;
}

export const shaKey = (sha: string): string => sha.trim().toLowerCase();
/** Anything shorter is an abbreviation. */
const shaLength = 40;
export const isWholeSha = (sha: string): boolean => sha.length >= shaLength;

/**
 * Where commits stand on the production branch, by the pull requests they belong to. Hashes are compared in full: no
 * recorded source abbreviates the hash of a deployment.
 */
export class CommitPositions {
  readonly #merges = new Map<string, MergedPullRequest[]>();
  readonly #commits = new Map<string, MergedPullRequest[]>();

  addMerge(sha: string, pullRequest: MergedPullRequest): void {
    addToList(this.#merges, shaKey(sha), pullRequest);
  }

  addCommit(sha: string, pullRequest: MergedPullRequest): void {
    addToList(this.#commits, shaKey(sha), pullRequest);
  }

  /**
   * The time up to which everything on the production branch was live with a commit that was deployed at `deployedAt`;
   * null where the commit is unknown. The clock of a code host may be a little behind the clock of a deployer, so a
   * merge commit stands where it was merged even if that was after it was deployed. Any other commit of a pull request
   * that was not merged by then was deployed from its own branch, which says nothing about the production branch.
   */
  positionOf(sha: string | null, deployedAt: number): number | null {
    if (sha === null) return null;
    const key = shaKey(sha);
    const merges = this.#merges.get(key);
    const known = merges ?? this.#commits.get(key) ?? [];
    const onProduction = known.flatMap((one) => productionTime(one, deployedAt, merges !== undefined) ?? []);
    if (onProduction.length > 0) return Math.min(...onProduction);
    const elsewhere = known.flatMap(({ pr_merged_at }) => (pr_merged_at <= deployedAt ? [pr_merged_at] : []));
    return elsewhere.length > 0 ? Math.min(...elsewhere) : null;
  }
}

function productionTime(one: MergedPullRequest, deployedAt: number, isMergeCommit: boolean): number | undefined {
  const { production_merged_at: at, is_production_merge } = one;
  if (at === null) return undefined;
  return at <= deployedAt || (isMergeCommit && is_production_merge) ? at : undefined;
}
