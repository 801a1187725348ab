import { valueLabel } from '../../../src/catalogue/labels/shown-names.ts';
import { textOf } from '../ask/grouped-series.ts';
import type { Row } from '../ask/send.ts';
import { shownTime } from './format.ts';

/** The value of a deployment column: its name, and what it means. */
interface WordsFor {
  readonly name: string;
  readonly meaning: string;
}

const failureReasons: Readonly<Record<string, string>> = {
  failed_deployment: 'The deploy run itself failed, or what it brought was rolled back.',
  incident: 'An incident is linked to it.',
  revert_pr: 'A later pull request reverts one that it carried.',
  hotfix_pr: 'A hotfix was merged soon after it.',
};

const deploymentSources: Readonly<Record<string, string>> = {
  bitbucket_deployment: 'Deployments that Bitbucket reports.',
  github_release: 'A published release counts as a deployment, at its publication.',
  workflow_run: 'Runs of the workflow that deploys, at the end of the run.',
  merge_to_default:
    'No deployment is known, so each merge to the production branch counts as one. Merge to deploy is then 0.',
};

const attributionStatuses: Readonly<Record<string, string>> = {
  deployed: 'A deployment carried it to production: it has a lead time.',
  awaiting_deploy: 'Merged to the production branch. No deployment has carried it yet.',
  before_first_signal:
    'Its repository has no successful deployment yet, or none was known when it was merged: no lead time.',
  non_production_branch: 'Merged to a branch that does not go to production, and not promoted since.',
  ignored: 'A bot’s, or of a repository that is switched off: no lead time.',
};

const wordsIn =
  (column: string, meanings: Readonly<Record<string, string>>, none: WordsFor) =>
  (value: unknown): WordsFor =>
    value === null || value === undefined
      ? none
      : { name: valueLabel(column, String(value)), meaning: meanings[String(value)] ?? '' };

export const failureWords = wordsIn('failure_reason', failureReasons, {
  name: 'Did not fail',
  meaning: 'Nothing says that it failed.',
});
export const sourceWords = wordsIn('deployment_source', deploymentSources, {
  name: 'Unknown',
  meaning: 'No source says where it is from.',
});
export const attributionWords = wordsIn('deployment_attribution_status', attributionStatuses, {
  name: 'Not looked at',
  meaning: 'Not merged to a tracked branch.',
});

/** The title of a deployment: its version, else when it was. Ids say nothing to a person. */
export function deploymentTitle(row: Row, zone: string): string {
  const version = textOf(row.version);
  return version === null ? `Deployment of ${shownTime(textOf(row.deployed_at), zone)}` : `Deployment ${version}`;
}

/** The order in which parts are shown; others follow. */
export const attributionOrder = Object.keys(attributionStatuses);
export const failureOrder = Object.keys(failureReasons);

export const timelineWords = {
  notToScale: 'Not to scale',
  stepsInTheirOrder: (breaks: number) =>
    `Steps in their order, not to scale${breaks > 0 ? ': the longest one is shortened where the line is broken.' : '.'}`,
} as const;
