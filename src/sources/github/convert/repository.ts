import { pullRequestId, releaseId, workflowRunId } from '../../../catalogue/record-ids.ts';
import type { HostedRepository } from '../../code-host/chosen-repositories.ts';
import type { WantedRepository } from '../../code-host/code-host-reader.ts';
import { Payload } from '../../payload.ts';

export type ListedRepository = HostedRepository;

/** A repository as the streams know it. */
export type Repository = Omit<WantedRepository<HostedRepository>, 'isFork' | 'isArchived' | 'owner'>;

export function convertRepository(payload: unknown): ListedRepository {
  const repository = Payload.of(payload, 'repository');
  const owner = repository.object('owner');
  const changedAt = repository.timeOrNull('pushed_at');
  return {
    id: repository.id('id'),
    name: repository.text('full_name'),
    defaultBranch: repository.textOrNull('default_branch'),
    createdAt: repository.timeOrNull('created_at') ?? earliest,
    isFork: repository.isTrue('fork'),
    isArchived: repository.isTrue('archived'),
    ...(changedAt !== null && { changedAt }),
    ...(owner.textOrNull('type') === 'Organization' ? { owner: owner.text('login') } : {}),
  };
}

/** GitHub opened in 2008: where a server keeps back when a repository was made, nothing is older. */
const earliest = '2008-01-01T00:00:00Z';

/** Ids are made of the name under which the repository was first seen, so that a rename keeps them. */
type Named = Pick<Repository, 'firstName'>;

/** Pull requests and issues share their numbers. */
export const numberedId = ({ firstName }: Named, number: number): string => pullRequestId('github', firstName, number);

export const taggedId = ({ firstName }: Named, tag: string): string => releaseId('github', firstName, tag);

/** Of what has no number that people know it by. */
export const runId = ({ firstName }: Named, id: string): string => workflowRunId('github', firstName, id);
export const deploymentId = ({ firstName }: Named, id: string): string => `github:${firstName}:deployment:${id}`;

/** A part of a pull request or an issue. Conversation and line comments are numbered apart, so the kind is in the id. */
export const partId = (parentId: string, kind: 'review' | 'comment' | 'review_comment', id: string): string =>
  `${parentId}:${kind}:${id}`;
