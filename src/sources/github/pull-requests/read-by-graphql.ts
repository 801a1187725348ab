import type { Json } from '../../../catalogue/record.ts';
import { orUnknown, Payload, type UnknownShape } from '../../payload.ts';
import { SourceProblem } from '../../source.ts';
import type { GithubApi } from '../api.ts';
import { completeList, connectionOf } from '../connections.ts';
import { type GraphqlPullRequest, restShapeOf } from '../convert/graphql-shapes.ts';
import type { PullRequestFamily } from '../convert/pull-request-family.ts';
import { type KeptEvent, keptEvents } from '../convert/timeline.ts';
import {
  type ConnectionName,
  connectionNames,
  eventTypes,
  moreOf,
  moreReviewCommentsQuery,
  pullRequestNumbersQuery,
  pullRequestQuery,
  pullRequestsQuery,
} from './queries.ts';

const eventOf: ReadonlyMap<string, KeptEvent> = new Map(keptEvents.map((event) => [eventTypes[event][0], event]));

interface PullRequestPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Where the next page begins; absent at the end. */
  readonly after?: string;
  readonly at: number;
}

interface ReadPullRequest {
  readonly updatedAt: string;
  /** Or what is unknown about the shape of it. */
  readonly family: PullRequestFamily | UnknownShape;
}

type GraphqlPosition = { readonly size: number; readonly after?: string };

/** Pull requests of a repository with everything that belongs to them, those that changed last first. */
export async function readByGraphql(
  api: GithubApi,
  repository: string,
  position: GraphqlPosition,
): Promise<PullRequestPage<ReadPullRequest>> {
  const { nodes, ...page } = await askForPage(api, repository, position, pullRequestsQuery);
  const items: ReadPullRequest[] = [];
  for (const node of nodes)
    items.push({ updatedAt: node.time('updatedAt'), family: await orUnknown(() => completeFamily(api, node)) });
  return { ...page, items };
}

/** The same page, but only which pull requests are on it. */
export async function readNumbersByGraphql(
  api: GithubApi,
  repository: string,
  position: GraphqlPosition,
): Promise<PullRequestPage<{ readonly number: number; readonly updatedAt: string }>> {
  const { nodes, ...page } = await askForPage(api, repository, position, pullRequestNumbersQuery);
  return {
    ...page,
    items: nodes.map((node) => ({ number: node.integer('number'), updatedAt: node.time('updatedAt') })),
  };
}

/** No family where there is none of that number. */
export async function readOneByGraphql(
  api: GithubApi,
  repository: string,
  number: number,
): Promise<{ readonly family?: PullRequestFamily; readonly at: number }> {
  const { data, at } = await api.requests.graphql(pullRequestQuery, { ...nameOf(repository), number });
  const node = Payload.of(data, 'answer').objectOrNull('repository')?.objectOrNull('pullRequest');
  return { at, ...(node && { family: await completeFamily(api, node) }) };
}

function nameOf(repository: string): { owner: string; name: string } {
  const [owner = '', name = ''] = repository.split('/');
  return { owner, name };
}

async function askForPage(api: GithubApi, repository: string, { size, after }: GraphqlPosition, query: string) {
  const variables: Record<string, Json> = { ...nameOf(repository), size, after: after ?? null };
  const { data, at } = await api.requests.graphql(query, variables);
  const found = Payload.of(data, 'answer').objectOrNull('repository');
  if (found === null) throw noRepository(repository);
  const { nodes, endCursor } = connectionOf(found.object('pullRequests'));
  return {
    nodes,
    total: found.object('pullRequests').integer('totalCount'),
    at,
    ...(endCursor && { after: endCursor }),
  };
}

const noRepository = (name: string): SourceProblem =>
  new SourceProblem(
    `${name} is gone, or the token may no longer see it`,
    'Give the token access to it, or take it out of the setting repositories. What was read stays.',
  );

async function completeFamily(api: GithubApi, pull: Payload): Promise<PullRequestFamily> {
  const lists = {} as Record<ConnectionName, readonly Payload[]>;
  for (const name of connectionNames) {
    lists[name] = await completeList(api, pull, name, moreOf(name));
  }
  const reviewComments: Payload[] = [];
  for (const thread of lists.reviewThreads) {
    const comments = await completeList(api, thread, 'comments', moreReviewCommentsQuery);
    // Those of a review that is being written are seen by its author only.
    reviewComments.push(...comments.filter((comment) => comment.textOrNull('state') !== 'PENDING'));
  }
  const complete: GraphqlPullRequest = { pull, ...lists, reviewComments };
  return restShapeOf(complete, eventOf);
}
