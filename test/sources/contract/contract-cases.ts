import { circleciCase } from '../circleci/circleci-case.ts';
import { consoleCase, enterpriseCase } from '../claude-code/claude-code-cases.ts';
import { cursorCase } from '../cursor/cursor-case.ts';
import { gitlabCase } from '../gitlab/gitlab-case.ts';
import { jenkinsCase } from '../jenkins/jenkins-case.ts';
import { jiraCloudCase, jiraDataCenterCase, jiraOperationsCase } from '../jira/jira-case.ts';
import { pagerdutyCase } from '../pagerduty/pagerduty-case.ts';
import { skeletonCase } from '../skeleton/skeleton-case.ts';
import type { ContractCase } from './contract-case.ts';

/** Every kind that keeps the contract. A new one joins with a line. */
export const contractCases: readonly ContractCase[] = [
  skeletonCase,
  gitlabCase,
  pagerdutyCase,
  cursorCase,
  consoleCase,
  enterpriseCase,
  jiraCloudCase,
  jiraDataCenterCase,
  jiraOperationsCase,
  circleciCase,
  jenkinsCase,
];

export const nameOfCase = ({ kind, form }: ContractCase): string =>
  form === undefined ? kind.kind : `${kind.kind} ${form}`;
