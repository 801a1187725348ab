import { pullRequestId, releaseId, workflowRunId } from '../../../catalogue/record-ids.ts';
import type { HostedRepository } from '../../code-host/chosen-repositories.ts';
import type { WantedRepository } from '../../code-host/code-host-reader.ts';
import { Payload } from '../../payload.ts';

export interface ListedProject extends HostedRepository {
  /** Features that are switched off, whose lists are refused. */
  readonly without: readonly string[];
  readonly hasMergeTrains: boolean;
}

/** A project as the streams know it. */
export type Project = WantedRepository<ListedProject>;

export function convertProject(payload: unknown): ListedProject {
  const project = Payload.of(payload, 'project');
  const name = project.text('path_with_namespace');
  const changedAt = project.timeOrNull('last_activity_at');
  const isOfGroup = project.objectOrNull('namespace')?.textOrNull('kind') === 'group';
  return {
    id: project.id('id'),
    name,
    defaultBranch: project.textOrNull('default_branch'),
    createdAt: project.timeOrNull('created_at') ?? earliest,
    without: features.filter((feature) => project.raw(`${feature}_access_level`) === 'disabled'),
    hasMergeTrains: project.isTrue('merge_trains_enabled'),
    isFork: project.has('forked_from_project'),
    isArchived: project.isTrue('archived'),
    ...(changedAt !== null && { changedAt }),
    // The group at the top of its path.
    ...(isOfGroup && { owner: name.slice(0, name.indexOf('/')) }),
  };
}

const features = ['merge_requests', 'issues', 'builds', 'environments', 'releases'] as const;
export type Feature = (typeof features)[number];

/** GitLab is no older. */
const earliest = '2011-01-01T00:00:00Z';

/** Everything of a project lies below its number, which no rename changes. */
export const pathOf = ({ id }: Pick<Project, 'id'>): string => `/projects/${id}`;

/** Ids are made of the name under which the project was first seen, so that a rename keeps them. */
type FirstNamed = Pick<Project, 'firstName'>;

/** Merge requests and issues are numbered apart, and lie in tables apart. */
export const numberedId = ({ firstName }: FirstNamed, number: number | string): string =>
  pullRequestId('gitlab', firstName, Number(number));
export const runId = ({ firstName }: FirstNamed, id: string): string => workflowRunId('gitlab', firstName, id);
export const taggedId = ({ firstName }: FirstNamed, tag: string): string => releaseId('gitlab', firstName, tag);
export const deploymentId = ({ firstName }: FirstNamed, id: string): string => `gitlab:${firstName}:deployment:${id}`;

/** Names of labels, which some answers have whole. */
export const labelsOf = (payload: Payload): string[] => {
  const labels = payload.raw('labels');
  const areNames = !Array.isArray(labels) || labels.every((label) => typeof label === 'string');
  return areNames ? payload.texts('labels') : payload.list('labels').map((label) => label.text('name'));
};
