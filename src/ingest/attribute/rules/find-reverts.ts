import { firstIndexWhere } from '../../../binary-search.ts';
import { addToList } from '../../../lists-by-key.ts';
import { parseRevertMarks, type RevertMarks, revertMarks } from '../../derive/reverts.ts';
import { compareOrder, isWholeSha, shaKey } from './deployment-contents.ts';
import type { RepositoryFacts } from './repository-facts.ts';

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

/** A merged pull request that another may take back. */
interface Revertible {
  readonly pr_id: string;
  readonly pr_number: number | null;
  readonly pr_merged_at: number;
}

/** A pull request that says it takes another back. It may be open still. */
interface RevertingPullRequest {
  readonly pr_id: string;
  readonly pr_number: number | null;
  readonly pr_merged_at: number | null;
}

/** The merged pull requests of one repository by everything that a revert may name them by. */
class RevertTargets {
  readonly #byNumber = new Map<number, Revertible[]>();
  readonly #byTitle = new Map<string, Revertible[]>();
  readonly #bySha = new Map<string, Revertible[]>();
  /** For hashes that are abbreviated. */
  #sortedShas: string[] | undefined;

  addNumber(number: number, target: Revertible): void {
    addToList(this.#byNumber, number, target);
  }

  addTitle(title: string, target: Revertible): void {
    addToList(this.#byTitle, title, target);
  }

  addSha(sha: string, target: Revertible): void {
    addToList(this.#bySha, shaKey(sha), target);
  }

  /**
   * What it takes back: the first mark that finds a pull request merged before it decides, and of several that it finds
   * the latest. What was merged later cannot be meant, which also keeps two from taking back each other. A
   * number in another repository says nothing about this one.
   */
  find(
    reverting: RevertingPullRequest,
    { number, repository, quotedNumber, title, sha }: RevertMarks,
  ): Revertible | undefined {
    if (repository !== undefined) return undefined;
    return (
      latest(reverting, number === undefined ? [] : (this.#byNumber.get(number) ?? [])) ??
      latest(reverting, quotedNumber === undefined ? [] : (this.#byNumber.get(quotedNumber) ?? [])) ??
      latest(reverting, title === undefined ? [] : (this.#byTitle.get(title) ?? [])) ??
      latest(reverting, sha === undefined ? [] : this.#withSha(shaKey(sha)))
    );
  }

  #withSha(sha: string): Revertible[] {
    if (isWholeSha(sha)) return this.#bySha.get(sha) ?? [];
    this.#sortedShas ??= [...this.#bySha.keys()].sort();
    const found: Revertible[] = [];
    for (let i = firstAtLeast(this.#sortedShas, sha); this.#sortedShas[i]?.startsWith(sha); i += 1) {
      found.push(...(this.#bySha.get(this.#sortedShas[i] as string) ?? []));
    }
    return found;
  }
}

function firstAtLeast(sorted: readonly string[], value: string): number {
  return firstIndexWhere(0, sorted.length, (i) => (sorted[i] as string) >= value);
}

function latest(reverting: RevertingPullRequest, targets: readonly Revertible[]): Revertible | undefined {
  const earlier = targets.filter((target) => target.pr_id !== reverting.pr_id && isBefore(target, reverting));
  return earlier.toSorted(compareMerges).at(-1);
}

interface RevertCandidate {
  readonly pr_id: string;
  readonly pr_number: number | null;
  readonly pr_merged_at: number | null;
}

/** In the order in which they were merged. Those that are not merged come last. */
function compareMerges(a: RevertCandidate, b: RevertCandidate): number {
  const [one, other] = [a.pr_merged_at ?? Number.POSITIVE_INFINITY, b.pr_merged_at ?? Number.POSITIVE_INFINITY];
  if (one !== other) return one < other ? -1 : 1;
  return compareOrder({ id: a.pr_id, at: a.pr_number ?? 0 }, { id: b.pr_id, at: b.pr_number ?? 0 });
}

const isBefore = (target: Revertible, reverting: RevertingPullRequest): boolean =>
  reverting.pr_merged_at === null || compareMerges(target, reverting) < 0;

/**
 * Whether it takes something back. Taking back a revert is an ordinary change: where the reverted one is not known, its
 * quoted title says.
 */
const isRevert = (marks: RevertMarks | null, target: { readonly is_revert: boolean } | undefined): boolean =>
  marks !== null && !(target ? target.is_revert : takesBack(marks.title));

function takesBack(title: string | undefined): boolean {
  if (title === undefined) return false;
  const marks = parseRevertMarks(revertMarks({ title, headBranch: null, body: null, repository: null }));
  return marks !== null && !takesBack(marks.title);
}
