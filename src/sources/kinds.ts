import { circleci } from './circleci/circleci.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { cursor } from './cursor/cursor.ts';
import { git } from './git/git.ts';
import { github } from './github/github.ts';
import { githubCopilot } from './github-copilot/github-copilot.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { jenkins } from './jenkins/jenkins.ts';
import { jira } from './jira/jira.ts';
import { jiraOperations } from './jira/jira-operations.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import type { SourceKind } from './source.ts';

/** Every kind of source, as the help lists them. */
export const sourceKinds: readonly SourceKind[] = [
  git,
  github,
  githubCopilot,
  gitlab,
  cursor,
  claudeCode,
  jira,
  jiraOperations,
  circleci,
  jenkins,
  pagerduty,
];

const hosts: ReadonlyMap<string, string> = new Map(
  sourceKinds.flatMap(({ kind, accounts }) => (accounts === 'own' ? [] : [[kind, accounts]])),
);

/** Where the logins are valid that records of a source name: those of GitHub Copilot are GitHub's. */
export const accountsOf = (source: string): string => hosts.get(source) ?? source;
