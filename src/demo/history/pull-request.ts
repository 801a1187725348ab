import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import type { ChangedFile } from './source-tree.ts';
import type { Purpose } from './wording.ts';

/** How a pull request came about. */
export type Occasion = 'ordinary' | 'bump' | 'revert' | 'hotfix' | 'promotion';

/** What a pull request does, apart from when and by whom. Under the names of the columns, what its record tells. */
export interface Change {
  readonly occasion: Occasion;
  readonly purpose: Purpose;
  readonly pr_title: string;
  readonly pr_body: string | null;
  readonly head_branch: string;
  readonly base_branch: string;
  readonly labels: readonly string[];
  readonly files: readonly ChangedFile[];
  readonly additions: number;
  readonly deletions: number;
}

/** A pull request before its timeline is drawn. */
export interface PlannedPullRequest {
  readonly at: number;
  readonly day: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly change: Change;
  /** Whether a coding agent helps. */
  readonly isAided: boolean;
}

/** What stays known of a merged pull request, for what follows from it. */
export interface Merge extends Omit<Change, 'files' | 'labels' | 'pr_body'> {
  readonly id: string;
  readonly number: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly at: number;
  readonly sha: string;
}

export interface Commit {
  readonly sha: string;
  readonly authoredAt: number;
  readonly additions: number;
}
