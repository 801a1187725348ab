import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Json } from '../../catalogue/record.ts';
import { Payload, UnknownShape } from '../payload.ts';
import type { ChangedObject, WebhookKind } from '../source.ts';

/** What a webhook can be about. */
export type ObjectKind =
  | 'pull_request'
  | 'issue'
  | 'release'
  | 'workflow_run'
  | 'deployment'
  | 'repository'
  | 'directory';

export const githubWebhook: WebhookKind = {
  signatureHeader: 'x-hub-signature-256',
  deliveryHeader: 'x-github-delivery',
  eventHeader: 'x-github-event',
  isSigned,
  objectsOf,
};

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const [, hex] = /^sha256=([\da-f]{64})$/i.exec(signature) ?? [];
  if (hex === undefined || secret === '') return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** Deliveries come late, twice and in any order: they only say what to read again. */
function objectsOf(event: string, payload: unknown): readonly ChangedObject[] {
  try {
    const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
    const object = read?.(Payload.of(payload, 'webhook'));
    return object ? [object] : [];
  } catch (error) {
    // Signed, but not as it is published: the next sync reads what it may have been about.
    if (error instanceof UnknownShape) return [];
    throw error;
  }
}

type Reader = (payload: Payload) => ChangedObject | undefined;

const ofPullRequest: Reader = (payload) =>
  ofRepository(payload, 'pull_request', payload.object('pull_request').integer('number'));

/** Pull requests are issues to GitHub, and their conversation is one of an issue. */
const ofIssue: Reader = (payload) => {
  const issue = payload.object('issue');
  return ofRepository(payload, issue.has('pull_request') ? 'pull_request' : 'issue', issue.integer('number'));
};

const ofDeployment: Reader = (payload) => ofRepository(payload, 'deployment', payload.object('deployment').id('id'));

const ofRelease: Reader = (payload) => {
  const release = payload.object('release');
  return ofRepository(payload, 'release', { id: release.id('id'), tag: release.text('tag_name') });
};

const ofRun: Reader = (payload) => ofRepository(payload, 'workflow_run', payload.object('workflow_run').id('id'));

const ofOrganization: Reader = (payload) => {
  const organization = payload.objectOrNull('organization')?.text('login');
  if (organization === undefined || !isName(organization)) return undefined;
  return {
    id: `directory@${organization.toLowerCase()}`,
    kind: 'directory',
    scope: organization,
    reference: organization,
  };
};

const readers: Readonly<Record<string, Reader>> = {
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

/** Names become part of an address that is asked: one that leads elsewhere is none. */
const isName = (name: string): boolean => /^[\w.-]+$/.test(name) && !/^\.{1,2}$/.test(name);

function isRepositoryName(fullName: string): boolean {
  const parts = fullName.split('/');
  return parts.length === 2 && parts.every(isName);
}
