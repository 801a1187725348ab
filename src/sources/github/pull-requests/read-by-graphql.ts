import type { Json } from '../../../catalogue/record.ts';
import { orUnknown, Payload, type UnknownShape } from '../../payload.ts';
import { SourceProblem } from '../../source.ts';
import { completeList, connectionOf, type GithubApi } from '../api.ts';
import { type GraphqlPullRequest, restShapeOf } from '../convert/graphql-shapes.ts';
import type { PullRequestFamily } from '../convert/pull-request.ts';
import { type KeptEvent, keptEvents } from '../convert/timeline-events.ts';

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

/** The same page with only the numbers of its pull requests. */
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
    // Only the author sees the comments of a review that is being written.
    reviewComments.push(...comments.filter((comment) => comment.textOrNull('state') !== 'PENDING'));
  }
  const complete: GraphqlPullRequest = { pull, ...lists, reviewComments };
  return restShapeOf(complete, eventOf);
}

/** The names of the kept events in GraphQL, and the fields that are asked of each. */
const eventTypes: Readonly<Record<KeptEvent, readonly [type: string, fields?: string]>> = {
  added_to_merge_queue: ['AddedToMergeQueueEvent'],
  assigned: ['AssignedEvent', 'assignee { ... on Actor { __typename login } }'],
  auto_merge_disabled: ['AutoMergeDisabledEvent'],
  auto_merge_enabled: ['AutoMergeEnabledEvent'],
  base_ref_changed: ['BaseRefChangedEvent'],
  closed: ['ClosedEvent'],
  convert_to_draft: ['ConvertToDraftEvent'],
  demilestoned: ['DemilestonedEvent', 'milestoneTitle'],
  head_ref_deleted: ['HeadRefDeletedEvent'],
  head_ref_force_pushed: ['HeadRefForcePushedEvent'],
  head_ref_restored: ['HeadRefRestoredEvent'],
  labeled: ['LabeledEvent', 'label { name }'],
  merged: ['MergedEvent', 'commit { oid }'],
  milestoned: ['MilestonedEvent', 'milestoneTitle'],
  ready_for_review: ['ReadyForReviewEvent'],
  removed_from_merge_queue: ['RemovedFromMergeQueueEvent'],
  renamed: ['RenamedTitleEvent', 'previousTitle currentTitle'],
  reopened: ['ReopenedEvent'],
  review_dismissed: ['ReviewDismissedEvent', 'previousReviewState dismissalMessage'],
  review_request_removed: ['ReviewRequestRemovedEvent', 'requestedReviewer { ...requested }'],
  review_requested: ['ReviewRequestedEvent', 'requestedReviewer { ...requested }'],
  unassigned: ['UnassignedEvent', 'assignee { ... on Actor { __typename login } }'],
  unlabeled: ['UnlabeledEvent', 'label { name }'],
};

const eventOf: ReadonlyMap<string, KeptEvent> = new Map(keptEvents.map((event) => [eventTypes[event][0], event]));

/** `HeadRefDeletedEvent` as `HEAD_REF_DELETED_EVENT`, which events are chosen by. */
const itemType = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase();

const itemTypes = keptEvents.map((event) => itemType(eventTypes[event][0])).join(', ');
const events = keptEvents.map((event) => {
  const [type, fields = ''] = eventTypes[event];
  return `... on ${type} { id createdAt actor { __typename login } ${fields} }`;
});

const reviewComment = `fullDatabaseId state author { __typename login } body createdAt url path replyTo { fullDatabaseId }`;

/** A list below a pull request: how many are asked for at first, by which arguments, and what of each. */
interface Connection {
  readonly first: number;
  readonly arguments?: string;
  readonly fields: string;
}

/** Only fields that are stored: patches, hunks and rendered texts are the largest part of an answer. */
export const connections = {
  labels: { first: 20, fields: 'name' },
  timelineItems: { first: 60, arguments: `itemTypes: [${itemTypes}]`, fields: `__typename ${events.join(' ')}` },
  reviews: {
    first: 25,
    fields: 'fullDatabaseId author { __typename login } body state submittedAt url',
  },
  reviewThreads: {
    first: 25,
    fields: `id comments(first: 15) { pageInfo { hasNextPage endCursor } nodes { ${reviewComment} } }`,
  },
  comments: { first: 30, fields: 'fullDatabaseId author { __typename login } body createdAt url' },
  commits: {
    first: 30,
    fields: `commit { oid message url additions deletions authoredDate committedDate
      author { name email user { login } } }`,
  },
  files: { first: 50, fields: 'path additions deletions' },
} as const satisfies Readonly<Record<string, Connection>>;
type ConnectionName = keyof typeof connections;
const connectionNames = Object.keys(connections) as ConnectionName[];

const connection = (name: ConnectionName, after: string, first: number): string => {
  const { fields, ...given }: Connection = connections[name];
  const args = [`first: ${first}`, after, given.arguments ?? ''].filter((part) => part !== '').join(', ');
  return `${name}(${args}) { pageInfo { hasNextPage endCursor } nodes { ${fields} } }`;
};

const requested =
  'fragment requested on RequestedReviewer { ... on Actor { __typename login } ... on Team { __typename name } }';
const usesRequested = (text: string): string => (text.includes('...requested') ? `${text}\n${requested}` : text);
const limit = 'rateLimit { limit remaining resetAt }';

const pullRequest = `id number url title body state isDraft createdAt updatedAt closedAt mergedAt additions deletions
  changedFiles baseRefName headRefName mergeCommit { oid } author { __typename login }
  ${connectionNames.map((name) => connection(name, '', connections[name].first)).join('\n')}`;

const pullRequests = (fields: string): string => `
query ($owner: String!, $name: String!, $size: Int!, $after: String) {
  ${limit}
  repository(owner: $owner, name: $name) {
    pullRequests(first: $size, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} }
    }
  }
}`;

/** Many pull requests with the beginning of each of their lists. */
const pullRequestsQuery = usesRequested(pullRequests(pullRequest));

/** The numbers of a page of pull requests, for a page with one that takes GraphQL too long by itself. */
const pullRequestNumbersQuery = pullRequests('number updatedAt');

const pullRequestQuery = usesRequested(`
query ($owner: String!, $name: String!, $number: Int!) {
  ${limit}
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { ${pullRequest} } }
}`);

/** More of a list of one pull request. */
const moreOf = (name: ConnectionName): string =>
  usesRequested(`
query ($id: ID!, $after: String!) {
  ${limit}
  node(id: $id) { ... on PullRequest { ${connection(name, 'after: $after', 100)} } }
}`);

const moreReviewCommentsQuery = `
query ($id: ID!, $after: String!) {
  ${limit}
  node(id: $id) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${reviewComment} } }
    }
  }
}`;
