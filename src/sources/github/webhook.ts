import type { Json } from '../../catalogue/record.ts';
import type { Payload } from '../payload.ts';
import type { ChangedObject, WebhookKind } from '../source.ts';
import { type DeliveryReader, isPathName, objectsByEvent } from '../webhooks.ts';

/** The kinds of objects that a webhook can be about. */
export type ObjectKind =
  | 'pull_request'
  | 'issue'
  | 'release'
  | 'workflow_run'
  | 'deployment'
  | 'repository'
  | 'directory';

const ofPullRequest: DeliveryReader = (payload) =>
  ofRepository(payload, 'pull_request', payload.object('pull_request').integer('number'));

/** Pull requests are issues to GitHub, and their conversation is one of an issue. */
const ofIssue: DeliveryReader = (payload) => {
  const issue = payload.object('issue');
  return ofRepository(payload, issue.has('pull_request') ? 'pull_request' : 'issue', issue.integer('number'));
};

const ofDeployment: DeliveryReader = (payload) =>
  ofRepository(payload, 'deployment', payload.object('deployment').id('id'));

const ofRelease: DeliveryReader = (payload) => {
  const release = payload.object('release');
  return ofRepository(payload, 'release', { id: release.id('id'), tag: release.text('tag_name') });
};

const ofRun: DeliveryReader = (payload) =>
  ofRepository(payload, 'workflow_run', payload.object('workflow_run').id('id'));

const ofOrganization: DeliveryReader = (payload) => {
  const organization = payload.objectOrNull('organization')?.text('login');
  if (organization === undefined || !isPathName(organization)) return undefined;
  return {
    id: `directory@${organization.toLowerCase()}`,
    kind: 'directory',
    scope: organization,
    reference: organization,
  };
};

const readers: Readonly<Record<string, DeliveryReader>> = {
  pull_request: ofPullRequest,
  pull_request_review: ofPullRequest,
  pull_request_review_comment: ofPullRequest,
  pull_request_review_thread: ofPullRequest,
  issues: ofIssue,
  issue_comment: ofIssue,
  release: ofRelease,
  workflow_run: ofRun,
  deployment: ofDeployment,
  deployment_status: ofDeployment,
  repository: (payload) => ofRepository(payload, 'repository', null),
  organization: ofOrganization,
  membership: ofOrganization,
  team: ofOrganization,
};

function ofRepository(payload: Payload, kind: ObjectKind, reference: Json): ChangedObject | undefined {
  const repository = payload.object('repository');
  const scope = repository.text('full_name');
  if (!isRepositoryName(scope)) return undefined;
  return { id: `${kind}@${repository.id('id')}:${JSON.stringify(reference)}`, kind, scope, reference };
}

function isRepositoryName(fullName: string): boolean {
  const parts = fullName.split('/');
  return parts.length === 2 && parts.every(isPathName);
}

export const githubWebhook: WebhookKind = {
  signature: { header: 'x-hub-signature-256', prefix: 'sha256=' },
  deliveryHeader: 'x-github-delivery',
  eventHeader: 'x-github-event',
  objectsOf: objectsByEvent(readers),
};
