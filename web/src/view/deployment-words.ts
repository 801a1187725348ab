/** The values of deployment columns in plain words, in one place for all pages. */
interface WordsFor {
  readonly name: string;
  readonly meaning: string;
}

const failureReasons: Readonly<Record<string, WordsFor>> = {
  failed_deployment: {
    name: 'Failed run, rollback',
    meaning: 'The deploy run itself failed, or what it brought was rolled back.',
  },
  incident: { name: 'Incident', meaning: 'An incident is linked to it.' },
  revert_pr: { name: 'Reverted', meaning: 'A later pull request reverts one that it carried.' },
  hotfix_pr: { name: 'Hotfix followed', meaning: 'A hotfix was merged soon after it.' },
};

const deploymentSources: Readonly<Record<string, WordsFor>> = {
  bitbucket_deployment: { name: 'Bitbucket deployments', meaning: 'Deployments that Bitbucket reports.' },
  github_release: { name: 'Releases', meaning: 'A published release counts as a deployment, at its publication.' },
  workflow_run: { name: 'Deploy runs', meaning: 'Runs of the workflow that deploys, at the end of the run.' },
  merge_to_default: {
    name: 'Merges',
    meaning: 'No deployment is known, so each merge to the production branch counts as one. Merge to deploy is then 0.',
  },
};

const attributionStatuses: Readonly<Record<string, WordsFor>> = {
  deployed: { name: 'Deployed', meaning: 'A deployment carried it to production: it has a lead time.' },
  awaiting_deploy: {
    name: 'Awaiting a deployment',
    meaning: 'Merged to the production branch; no deployment has carried it yet.',
  },
  before_first_signal: {
    name: 'Before the first signal',
    meaning: 'Its repository has no successful deployment yet, or none was known when it was merged: no lead time.',
  },
  non_production_branch: {
    name: 'Other branch',
    meaning: 'Merged to a branch that does not go to production, and not promoted since.',
  },
  ignored: {
    name: 'Left out',
    meaning: 'A bot’s, or of a repository that is switched off: no lead time.',
  },
};

const wordsIn =
  (all: Readonly<Record<string, WordsFor>>, none: WordsFor) =>
  (value: unknown): WordsFor =>
    value === null || value === undefined
      ? none
      : (all[String(value)] ?? { name: String(value).replaceAll('_', ' '), meaning: '' });

export const failureWords = wordsIn(failureReasons, { name: 'Did not fail', meaning: 'Nothing says that it failed.' });
export const sourceWords = wordsIn(deploymentSources, { name: 'Unknown', meaning: 'No source says where it is from.' });
export const attributionWords = wordsIn(attributionStatuses, {
  name: 'Not looked at',
  meaning: 'Not merged to anything that is followed.',
});

/** The order in which parts are shown; others follow. */
export const attributionOrder = Object.keys(attributionStatuses);
export const failureOrder = Object.keys(failureReasons);
