import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordTable } from '../../../catalogue/record-tables.ts';
import { incidentsByLabel } from '../../issue-incidents.ts';
import { secondsOf } from '../../paging.ts';
import { convertEach, Payload, readEach } from '../../payload.ts';
import type { GithubApi } from '../api.ts';
import { convertDeployment, convertRelease } from '../convert/delivery.ts';
import { convertIssue, convertIssueComment } from '../convert/issue.ts';
import type { Repository } from '../convert/repository.ts';
import type { ConvertedItem, Listing } from './listed-stream.ts';
import { isSettled, type ReadRange } from './repository-stream.ts';

type ConvertItem = (repository: Repository, payload: unknown) => FieldValues | null;

/** Items that are not of the table, such as pull requests among issues, are left out. */
export function convertList(
  repository: Repository,
  table: RecordTable,
  items: readonly unknown[],
  convert: ConvertItem,
) {
  const { records, problems } = convertEach(items, (item) => convert(repository, item));
  return { records: [{ table, records: records.filter((record) => record !== null) }], problems };
}

const hour = 3_600;
const day = 24 * hour;

/** Issues, and what of them is an incident too. */
export function convertIssues(
  repository: Repository,
  items: readonly unknown[],
  { isWhole }: Pick<ReadRange, 'isWhole'> = {},
): ConvertedItem {
  const { records, problems } = convertList(repository, 'issues', items, convertIssue);
  const issues = records.flatMap((some) => some.records);
  const { incidentLabels: labels, name } = repository;
  return { records: [...records, ...incidentsByLabel(issues, { labels, repository: name, isWhole })], problems };
}

export const issuesOf = (repository: Repository): Listing => ({
  key: 'issues',
  name: 'issues',
  feeds: repository.incidentLabels ? ['issues', 'incidents'] : ['issues'],
  path: '/issues',
  query: { state: 'all', sort: 'updated', direction: 'desc' },
  orderedBy: 'updated_at',
  rereadSeconds: hour,
  ...(repository.incidentLabels && { basis: JSON.stringify(repository.incidentLabels) }),
  convert: (items, range) => convertIssues(repository, items, range),
  watched: {
    kind: 'issue',
    referenceOf: (item) => (item.has('pull_request') ? undefined : item.integer('number')),
  },
});

export const issueCommentsOf = (repository: Repository): Listing => ({
  key: 'issue_comments',
  name: 'issue comments',
  feeds: ['issue_comments'],
  path: '/issues/comments',
  query: { sort: 'updated', direction: 'desc' },
  orderedBy: 'updated_at',
  rereadSeconds: hour,
  convert: (items) => convertList(repository, 'issue_comments', items, convertIssueComment),
});

/** Read whole: a draft of long ago can be published today. */
export const releasesOf = (repository: Repository): Listing => ({
  key: 'releases',
  name: 'releases',
  feeds: ['release_details'],
  path: '/releases',
  orderedBy: 'created_at',
  convert: (items) => convertList(repository, 'release_details', items, convertRelease),
  watched: {
    kind: 'release',
    // A draft has no row, and its tag may be another one's.
    referenceOf: (item) => (item.isTrue('draft') ? undefined : item.text('tag_name')),
  },
});

/** GitHub lets a deployment wait for an approval for as long as this. */
const maxDeploymentWaits = 30 * day;

export const deploymentsOf = (repository: Repository, api: GithubApi): Listing => ({
  key: 'deployments',
  name: 'deployments',
  feeds: ['deployments'],
  path: '/deployments',
  orderedBy: 'created_at',
  rereadSeconds: maxDeploymentWaits,
  convert: (items, range) => convertDeployments(api, repository, items, range),
  watched: { kind: 'deployment', referenceOf: (item) => item.id('id'), forSeconds: maxDeploymentWaits },
});

/** How a deployment ended stands in its statuses, which are asked for where it has changed since the last read. */
async function convertDeployments(
  api: GithubApi,
  repository: Repository,
  items: readonly unknown[],
  range: ReadRange,
): Promise<ConvertedItem> {
  const changed = items.filter((item) => {
    const updatedAt = Payload.of(item, 'deployment').timeOrNull('updated_at');
    return updatedAt === null || !isSettled(secondsOf(updatedAt), range);
  });
  const { records, problems } = await readEach(changed, (item) => readDeployment(api, repository, item));
  return { records: [{ table: 'deployments', records }], problems };
}

/** Null where it has not ended. */
export async function readDeployment(api: GithubApi, repository: Repository, payload: unknown) {
  const id = Payload.of(payload, 'deployment').id('id');
  const statuses = await api.list(`/repos/${repository.name}/deployments/${id}/statuses`, { alsoGood: [404] });
  return convertDeployment(repository, payload, statuses?.items ?? []);
}
