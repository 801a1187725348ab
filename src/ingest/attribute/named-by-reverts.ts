import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { parseRevertMarks, type RevertMarks } from '../derive/reverts.ts';
import { type AttributionReader, all, any, inRepositories, isNull, notNull, since } from './attribution-reader.ts';
import { noRepository } from './rules/repository-settings.ts';
import { type Spans, theBeginning, theEnd } from './spans.ts';

/** What a revert may call a merged pull request by. */
export const revertNames = [
  'pr_number',
  'pr_title',
  'merge_commit_sha',
] as const satisfies readonly (keyof PullRequestRow)[];

type NamedRow = { readonly [C in 'pr_merged_at' | (typeof revertNames)[number]]?: PullRequestRow[C] | undefined };

/** What reverts may call pull requests by, in each repository. */
export class NamedByReverts {
  readonly #names = new Map<string, Set<string>>();
  #first = theEnd;
  #held = 0;
  readonly #maxNames: number;

  /** Beyond this number every revert of the repositories counts as one that names something. */
  constructor(maxNames: number) {
    this.#maxNames = maxNames;
  }

  get size(): number {
    return this.#names.size;
  }

  /** One that is open cannot be taken back. Commits are not told apart: few reverts name one. */
  add(key: string | null | undefined, { pr_merged_at: at, pr_number, pr_title }: NamedRow): void {
    if (!key || at === null) return;
    const names = this.#names.get(key) ?? new Set();
    this.#names.set(key, names);
    this.#first = Math.min(this.#first, at ?? theBeginning);
    this.#held += 2;
    if (this.#held > this.#maxNames) return;
    names.add(byCommit);
    if (pr_number != null) names.add(`#${pr_number}`);
    if (pr_title) names.add(`"${pr_title}`);
  }

  /** Touches the reverts that name one of these, and those that take those back in turn: they may take back another one. */
  async touchReverts(session: AttributionReader, spans: Spans): Promise<void> {
    if (this.#names.size === 0) return;
    const columns = ['repository_key', 'pr_merged_at', 'deployed_at', 'revert_marks', ...revertNames] as const;
    const isLater = any(since('pr_merged_at', this.#first), isNull('pr_merged_at'));
    const reverting = all(inRepositories(this.#names.keys()), notNull('revert_marks'), isLater);
    let others = await session.select(pullRequests, columns, reverting);
    for (let isNew = true; isNew; ) {
      isNew = false;
      others = others.filter((row) => {
        const marks = parseRevertMarks(row.revert_marks);
        if (!marks || !this.#isNamed(row.repository_key ?? noRepository, marks)) return true;
        spans.touch(row.repository_key ?? noRepository, row.pr_merged_at, latestOf(row.pr_merged_at, row.deployed_at));
        this.add(row.repository_key, row);
        isNew = true;
        return false;
      });
    }
  }

  #isNamed(key: string, { number, quotedNumber, title, sha }: RevertMarks): boolean {
    const names = this.#names.get(key);
    if (!names) return false;
    return (
      this.#held > this.#maxNames ||
      [number, quotedNumber].some((one) => one !== undefined && names.has(`#${one}`)) ||
      (title !== undefined && names.has(`"${title}`)) ||
      (sha !== undefined && names.has(byCommit))
    );
  }
}

const byCommit = 'commit';

/** Of times of a merged pull request, the last. */
const latestOf = (merged: number | null, ...others: readonly (number | null | undefined)[]): number | null =>
  merged === null ? null : others.reduce<number>((last, at) => Math.max(last, at ?? last), merged);
