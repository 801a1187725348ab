import type { PullRequestRow } from '../../../src/catalogue/tables/pull-requests.ts';
import { parseRevertMarks } from '../../../src/ingest/derive/reverts.ts';
import { lower, type PlainDeployments } from './plain-deployments.ts';

/** Which pull requests take others back, by the definitions read plainly. */
export class PlainReverts {
  readonly #deployments: PlainDeployments;

  constructor(deployments: PlainDeployments) {
    this.#deployments = deployments;
  }

  targetOf(pr: PullRequestRow): PullRequestRow | undefined {
    const marks = parseRevertMarks(pr.revert_marks);
    if (!marks || marks.repository !== undefined) return undefined;
    const order = (one: PullRequestRow) => [
      one.pr_merged_at ?? Number.POSITIVE_INFINITY,
      one.pr_number ?? 0,
      one.pr_id ?? '',
    ];
    const isBefore = (one: PullRequestRow, other: PullRequestRow) => {
      const [a, b] = [order(one), order(other)];
      const i = a.findIndex((part, k) => part !== b[k]);
      return i >= 0 && (a[i] ?? 0) < (b[i] ?? 0);
    };
    const candidates = this.#deployments
      .of(pr.repository_key ?? '')
      .merged.filter((one) => one !== pr && (pr.pr_merged_at === null || isBefore(one, pr)))
      .sort((a, b) => (isBefore(a, b) ? 1 : -1));
    const hasSha = (one: PullRequestRow) => {
      const own = this.#deployments.commits
        .filter(({ pr_id }) => pr_id === one.pr_id)
        .map(({ sha }) => sha as string | null);
      return [one.merge_commit_sha, ...own].some((sha) => marks.sha !== undefined && lower(sha)?.startsWith(marks.sha));
    };
    const inQuote = /^.*\(#([0-9]+)\)$/.exec(marks.title ?? '')?.[1];
    return (
      candidates.find((one) => marks.number !== undefined && one.pr_number === marks.number) ??
      candidates.find((one) => inQuote !== undefined && one.pr_number === Number(inQuote)) ??
      candidates.find((one) => marks.title !== undefined && one.pr_title === marks.title) ??
      candidates.find(hasSha)
    );
  }

  isRevert(pr: PullRequestRow): boolean {
    if (pr.revert_marks === null) return false;
    const target = this.targetOf(pr);
    if (target) return !this.isRevert(target);
    const depth = /^(?:Revert ")*/.exec(parseRevertMarks(pr.revert_marks)?.title ?? '')?.[0].length ?? 0;
    return (depth / 'Revert "'.length) % 2 === 0;
  }
}
