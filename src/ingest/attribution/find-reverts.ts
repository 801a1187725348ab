import type { RevertMarks } from '../derive/reverts.ts';
import type { RepositoryFacts, StoredPullRequest } from './repository-facts.ts';
import { compareMerges, isRevert, RevertTargets } from './revert-targets.ts';

export interface FoundRevert {
  readonly revertsId: string | null;
  readonly isRevert: boolean;
}

type Facts = Pick<RepositoryFacts, 'pullRequests' | 'revertMarks' | 'commits'>;

/** What the pull requests of a repository revert, for those that say they revert something. */
export function findReverts({ pullRequests, revertMarks, commits }: Facts): Map<string, FoundRevert> {
  const found = new Map<string, FoundRevert>();
  if (revertMarks.size === 0) return found;
  const targets = new RevertTargets();
  const merged = new Map<
    string,
    { readonly pr_id: string; readonly pr_number: number | null; readonly pr_merged_at: number }
  >();
  const reverting: { readonly pr: StoredPullRequest; readonly marks: RevertMarks }[] = [];
  for (const pr of pullRequests) {
    const marks = revertMarks.get(pr.pr_id);
    if (marks) reverting.push({ pr, marks });
    const { pr_id, pr_number, pr_merged_at } = pr;
    if (pr_merged_at === null) continue;
    const target = { pr_id, pr_number, pr_merged_at };
    merged.set(pr_id, target);
    if (pr_number !== null) targets.addNumber(pr_number, target);
    if (pr.pr_title !== null) targets.addTitle(pr.pr_title, target);
    if (pr.merge_commit_sha !== null) targets.addSha(pr.merge_commit_sha, target);
  }
  for (const { sha, pr_id } of commits) {
    const target = merged.get(pr_id);
    if (target) targets.addSha(sha, target);
  }
  // A target was merged before what reverts it, so whether the target is itself a revert is known by then.
  for (const { pr, marks } of reverting.sort((a, b) => compareMerges(a.pr, b.pr))) {
    const target = targets.find(pr, marks);
    const known = target && { is_revert: found.get(target.pr_id)?.isRevert === true };
    found.set(pr.pr_id, { revertsId: target?.pr_id ?? null, isRevert: isRevert(marks, known) });
  }
  return found;
}
