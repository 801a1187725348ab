import { pullRequestId, releaseId, workflowRunId } from '../../../catalogue/record-ids.ts';
import type { Repository } from './repository.ts';

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
