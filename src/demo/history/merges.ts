import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';

/** How a pull request came about. */
export type Occasion = 'ordinary' | 'bump' | 'revert' | 'hotfix' | 'promotion';

/** What stays known of a pull request once it is merged, for what follows from it. */
export interface Merge {
  readonly at: number;
  readonly codeBase: CodeBase;
  readonly author: Contributor;
  readonly occasion: Occasion;
  readonly prId: string;
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
}

/** A pull request that something else brings about, at a time of its own. */
export type ChangeContext =
  | { readonly occasion: 'revert'; readonly at: number; readonly merge: Merge }
  | { readonly occasion: 'hotfix'; readonly at: number; readonly codeBase: CodeBase }
  | {
      readonly occasion: 'promotion';
      readonly at: number;
      readonly codeBase: CodeBase;
      readonly merges: readonly Merge[];
    };
