/** A merged pull request whose commits a deployment may have been built from. */
export interface Anchor {
  readonly merge_commit_sha: string | null;
  readonly pr_merged_at: number;
  readonly production_merged_at: number | null;
  readonly is_production_merge: boolean;
}

export const shaKey = (sha: string): string => sha.trim().toLowerCase();

/**
 * Where the commits of deployments stand on the production branch, told from the pull requests they belong to. Commits
 * are compared in full: no recorded source abbreviates them.
 */
export class Anchors {
  readonly #merges = new Map<string, Anchor[]>();
  readonly #commits = new Map<string, Anchor[]>();

  addMerge(anchor: Anchor): void {
    if (anchor.merge_commit_sha !== null) add(this.#merges, shaKey(anchor.merge_commit_sha), anchor);
  }

  addCommit(sha: string, anchor: Anchor): void {
    add(this.#commits, shaKey(sha), anchor);
  }

  isMerge(sha: string): boolean {
    return this.#merges.has(shaKey(sha));
  }

  /**
   * Up to when everything on the production branch was live with a commit that was deployed at a time; null where
   * nothing is known of it. The clock of a code host may be a little behind that of a deployer, so a merge commit stands
   * where it was merged even if that was after it was deployed. Any other commit of a pull request that was not merged
   * by then was deployed from its own branch, which says nothing about the production branch.
   */
  positionOf(sha: string | null, deployedAt: number): number | null {
    if (sha === null) return null;
    const key = shaKey(sha);
    const merges = this.#merges.get(key);
    const known = merges ?? this.#commits.get(key) ?? [];
    const onProduction = known.flatMap((anchor) => productionTime(anchor, deployedAt, merges !== undefined) ?? []);
    if (onProduction.length > 0) return Math.min(...onProduction);
    const elsewhere = known.flatMap(({ pr_merged_at }) => (pr_merged_at <= deployedAt ? [pr_merged_at] : []));
    return elsewhere.length > 0 ? Math.min(...elsewhere) : null;
  }
}

function productionTime(anchor: Anchor, deployedAt: number, isMergeCommit: boolean): number | undefined {
  const { production_merged_at: at, is_production_merge } = anchor;
  if (at === null) return undefined;
  return at <= deployedAt || (isMergeCommit && is_production_merge) ? at : undefined;
}

function add(map: Map<string, Anchor[]>, key: string, anchor: Anchor): void {
  const known = map.get(key);
  if (known) known.push(anchor);
  else map.set(key, [anchor]);
}
