import { firstIndexWhere } from '../../../binary-search.ts';
import { addToList } from '../../../lists-by-key.ts';
import { parseRevertMarks, type RevertMarks, revertMarks } from '../../derive/reverts.ts';
import { isWholeSha, shaKey } from './commit-positions.ts';
import { compareOrder } from './deployment-order.ts';

/** A merged pull request that another may take back. */
export interface Revertible {
  readonly pr_id: string;
  readonly pr_number: number | null;
  readonly pr_merged_at: number;
}

/** A pull request that says it takes another back. It may be open still. */
export interface RevertingPullRequest {
  readonly pr_id: string;
  readonly pr_number: number | null;
  readonly pr_merged_at: number | null;
}

/** The merged pull requests of one repository by everything that a revert may name them by. */
export class RevertTargets {
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
export function compareMerges(a: RevertCandidate, b: RevertCandidate): number {
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
export const isRevert = (marks: RevertMarks | null, target: { readonly is_revert: boolean } | undefined): boolean =>
  marks !== null && !(target ? target.is_revert : takesBack(marks.title));

function takesBack(title: string | undefined): boolean {
  if (title === undefined) return false;
  const marks = parseRevertMarks(revertMarks({ title, headBranch: null, body: null, repository: null }));
  return marks !== null && !takesBack(marks.title);
}
