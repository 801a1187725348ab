import type { CodeHost } from '../blueprint.ts';
import type { Change } from './changes.ts';
import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import type { Life } from './life.ts';

export interface Commit {
  readonly sha: string;
  readonly authoredAt: number;
  readonly additions: number;
}

/** Everything about one pull request, while its records are written. */
export interface PullRequest {
  readonly id: string;
  readonly number: number;
  readonly url: string;
  readonly host: CodeHost;
  readonly day: number;
  readonly codeBase: CodeBase;
  readonly author: Contributor;
  readonly change: Change;
  readonly life: Life;
}

/** The moment after which nothing more is heard of it. */
export const silentAfter = ({ life }: PullRequest, endAt: number): number => life.closedAt ?? endAt - 1;
