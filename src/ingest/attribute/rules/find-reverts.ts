import { parseRevertMarks, type RevertMarks } from '../../derive/reverts.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import {
  compareMerges,
  isRevert,
  type Revertible,
  type RevertingPullRequest,
  RevertTargets,
} from './revert-targets.ts';

interface FoundRevert {
  readonly revertsId: string | null;
  readonly isRevert: boolean;
}

type Facts = Pick<RepositoryFacts, 'pullRequests' | 'names' | 'commits'>;

/** What the pull requests of a repository revert, for those that say they revert something. */
export function findReverts({ pullRequests, names, commits }: Facts): Map<string, FoundRevert> {
  const found = new Map<string, FoundRevert>();
  if (names.size === 0) return found;
  const targets = new RevertTargets();
  const merged = new Map<string, Revertible>();
  const reverting: (RevertingPullRequest & { readonly marks: RevertMarks })[] = [];
  for (const { pr_id, pr_merged_at, merge_commit_sha, revert_marks } of pullRequests) {
    const { pr_number = null, pr_title = null } = names.get(pr_id) ?? {};
    const marks = parseRevertMarks(revert_marks);
    if (marks) reverting.push({ pr_id, pr_number, pr_merged_at, marks });
    if (pr_merged_at === null) continue;
    const target = { pr_id, pr_number, pr_merged_at };
    merged.set(pr_id, target);
    if (pr_number !== null) targets.addNumber(pr_number, target);
    if (pr_title !== null) targets.addTitle(pr_title, target);
    if (merge_commit_sha !== null) targets.addSha(merge_commit_sha, target);
  }
  for (const { sha, pr_id } of commits) {
    const target = merged.get(pr_id);
    if (target) targets.addSha(sha, target);
  }
  // A target was merged before what reverts it, so whether the target is itself a revert is known by then.
  for (const one of reverting.sort(compareMerges)) {
    const target = targets.find(one, one.marks);
    const known = target && { is_revert: found.get(target.pr_id)?.isRevert === true };
    found.set(one.pr_id, { revertsId: target?.pr_id ?? null, isRevert: isRevert(one.marks, known) });
  }
  return found;
}
