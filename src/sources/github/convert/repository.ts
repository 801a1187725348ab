import { pullRequestId, releaseId, workflowRunId } from '../../../catalogue/record-ids.ts';
import { Payload } from '../../payload.ts';

/** A repository as the streams know it. */
export interface Repository {
  /** The provider's own number, which a rename does not change. */
  readonly id: string;
  /** The present name of the repository, `owner/name`. */
  readonly name: string;
  /** The name that ids are made of: the one under which it was first seen. */
  readonly firstName: string;
  readonly defaultBranch: string | null;
  readonly createdAt: string;
  /** Nothing that changed before is wanted, in seconds since 1970. */
  readonly readFrom?: number;
  /** An issue with one of these labels is an incident too. */
  readonly incidentLabels?: readonly string[];
}

export interface ListedRepository extends Omit<Repository, 'firstName' | 'readFrom' | 'incidentLabels'> {
  readonly isFork: boolean;
  readonly isArchived: boolean;
  /** The organisation that owns it; absent where a user does. */
  readonly organization?: string;
}

export function convertRepository(payload: unknown): ListedRepository {
  const repository = Payload.of(payload, 'repository');
  const owner = repository.object('owner');
  return {
    id: repository.id('id'),
    name: repository.text('full_name'),
    defaultBranch: repository.textOrNull('default_branch'),
    createdAt: repository.timeOrNull('created_at') ?? earliest,
    isFork: repository.isTrue('fork'),
    isArchived: repository.isTrue('archived'),
    ...(owner.textOrNull('type') === 'Organization' ? { organization: owner.text('login') } : {}),
  };
}

/** GitHub opened in 2008: where a server keeps back when a repository was made, nothing is older. */
const earliest = '2008-01-01T00:00:00Z';

export const repositoryRecord = ({ name, firstName, defaultBranch }: Repository) => ({
  repository: name,
  ...(defaultBranch === null ? {} : { default_branch: defaultBranch }),
  ...(firstName === name ? {} : { earlier_names: [`github:${firstName}`] }),
});

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
