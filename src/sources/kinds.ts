import { git } from './git/git.ts';
import { github } from './github/github.ts';
import { githubCopilot } from './github-copilot/github-copilot.ts';
import type { SourceKind } from './source.ts';

/** Every kind of source, as the help lists them. */
export const sourceKinds: readonly SourceKind[] = [git, github, githubCopilot];
