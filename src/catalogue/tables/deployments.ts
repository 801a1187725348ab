import { deploymentSources } from '../directory-records.ts';
import { boolean, duration, integer, json, text, textList, timestamp } from '../record.ts';
import { completed, derived, hidden, type RowOf, table, whenRead } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { carriedListForm } from './pull-requests.ts';

export const deploymentStatuses = ['success', 'failure', 'cancelled'] as const;
const failureReasons = ['failed_deployment', 'incident', 'revert_pr', 'hotfix_pr'] as const;
/** The origin of a deployment that a record reported, as it is stored. */
export const reportedOrigin = 'stated';
/** The rows that deployments are inferred from where none are reported. The id of such a deployment begins with it. */
const inferredOrigins = ['release', 'run', 'merge'] as const;
export type InferredOrigin = (typeof inferredOrigins)[number];
/** The origin of a deployment: a record of its own, or a row of another table. */
const deploymentOrigins = [reportedOrigin, ...inferredOrigins] as const;

/** The id of the deployment that is inferred from a row, by the id of the row. */
export const inferredId = (from: InferredOrigin, row: string): string => `${from}:${row}`;

export const deployments = table({
  name: 'deployments',
  one: 'a deployment',
  meaning:
    'Deployments, reported by a source or inferred from releases, runs or merges, with what each carried and whether it failed.',
  key: ['deployment_id'],
  references: ['pr_ids'],
  person: 'deployer',
  naming: personNaming,
  repository: ['repository'],
  countsForRepository: true,
  carriesPullRequests: { by: ['deployment_id'], list: 'pull_requests', count: 'prs_included', named: 'pr_ids' },
  recorded: {
    column: 'origin',
    value: reportedOrigin,
    inferredKeys: inferredOrigins.map((from) => inferredId(from, '')),
  },
  dates: { deployed_at: 'deployed_at', started_at: 'started_at' },
  formerNames: { is_production: 'production' },
  needs: { time_to_restore: ['failure_reason', 'restored_at'] },
  columns: {
    deployment_id: text('Identifier of the deployment.'),
    origin: hidden(derived(text('What it was made from.', deploymentOrigins))),
    repository: text('Repository, owner/name.'),
    repository_name: derived(text('Repository without its owner.')),
    repository_key: hidden(derived(text('Repository as it is matched, without regard to case.'))),
    source: text('Where the deployer’s login is valid, such as github.'),
    ...personColumns,
    deployed_at: timestamp('When it was finished: publication of a release, end of a run or merge of a pull request.'),
    started_at: timestamp('When it was started.'),
    status: text('How it ended.', deploymentStatuses),
    environment: text('Environment. Without one it is production.'),
    production: boolean(
      'Whether its environment is production, where the source knows it. It wins over names of environments and settings.',
    ),
    // Earlier versions kept it here, as records called it is_production.
    given_is_production: hidden(derived(boolean('What an earlier version kept of production.'))),
    is_production: derived(
      boolean('Whether it went to production and comes from the source that counts for its repository.'),
    ),
    workflow_name: text('Workflow that deployed.'),
    version: text('Version.'),
    sha: text('Commit that was deployed.'),
    deployment_source: completed(text('The source it was read from.', deploymentSources)),
    run_url: text('Address of the run.'),
    pr_ids: textList('Pull requests it carried, when the source knows them. acme/web#7 is short for an id.'),
    is_rollback: hidden(derived(boolean('Whether it brought back something that was live before.'))),
    prs_included: derived(integer('Number of pull requests it carried.')),
    pull_requests: whenRead(json(`The pull requests it carried: ${carriedListForm}. Null when none.`)),
    failure_reason: derived(text('Why it counts as failed. Null if it does not.', failureReasons)),
    failure_detected_at: derived(
      timestamp(
        'End of the failed run, opening of the first incident, or creation of the reverting or hotfix pull request.',
      ),
    ),
    remediation_merged_at: derived(timestamp('Merge of the reverting or hotfix pull request.')),
    restored_at: derived(
      timestamp('When production was well again. After several incidents, when the last of them was resolved.'),
    ),
    time_to_restore: derived(duration('From the bad change live, the incident opened or the run failed, to restored.')),
    is_remediation: derived(boolean('Whether it carried only reverts and hotfixes.')),
  },
});
export type DeploymentRow = RowOf<typeof deployments>;
