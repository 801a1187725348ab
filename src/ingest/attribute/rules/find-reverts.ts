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

type Facts = Pick<RepositoryFacts, 'pullRequests' | 'targets' | 'commits'>;

/** What some pull requests of a repository revert, for those that say they revert something. */
export function findReverts({ pullRequests, targets: merged, commits }: Facts): Map<string, FoundRevert> {
  const reverting: (RevertingPullRequest & { readonly marks: RevertMarks })[] = [];
  for (const { pr_id, pr_number, pr_merged_at, revert_marks } of pullRequests) {
    const marks = parseRevertMarks(revert_marks);
    if (marks) reverting.push({ pr_id, pr_number, pr_merged_at, marks });
  }
  const found = new Map<string, FoundRevert>();
  if (reverting.length === 0) return found;
  const targets = new RevertTargets();
  const byId = new Map<string, Revertible>();
  const reverts = new Set<string>();
  for (const { pr_id, pr_number, pr_title, pr_merged_at, merge_commit_sha, is_revert } of merged) {
    if (pr_id === null || pr_merged_at === null) continue;
    const target = { pr_id, pr_number, pr_merged_at };
    byId.set(pr_id, target);
    if (pr_number !== null) targets.addNumber(pr_number, target);
    if (pr_title !== null) targets.addTitle(pr_title, target);
    if (merge_commit_sha !== null) targets.addSha(merge_commit_sha, target);
    if (is_revert === true) reverts.add(pr_id);
  }
  for (const { sha, pr_id } of commits) {
    const target = byId.get(pr_id);
    if (target) targets.addSha(sha, target);
  }
  // What one of these was does not matter. What it is is known by the time that one which was merged later reverts it.
  for (const { pr_id } of pullRequests) reverts.delete(pr_id);
  for (const one of reverting.sort(compareMerges)) {
    const target = targets.find(one, one.marks);
    const known = target && { is_revert: reverts.has(target.pr_id) };
    const is = isRevert(one.marks, known);
    if (is) reverts.add(one.pr_id);
    found.set(one.pr_id, { revertsId: target?.pr_id ?? null, isRevert: is });
  }
  return found;
}
