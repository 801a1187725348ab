import { schema as publishedSchema } from '@octokit/graphql-schema';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import type { Fields, ReplayedOrganization, ReplayedPull, ReplayedRepository, World } from './world.ts';

let published: GraphQLSchema | undefined;

/** GitHub's published schema: a query that it does not allow is refused here as it would be there. */
function schema(): GraphQLSchema {
  published ??= buildSchema(publishedSchema.idl, { assumeValid: true });
  return published;
}

/** Queries that were asked before: to see whether the schema allows one takes longer than to answer it. */
const allowed = new Map<string, DocumentNode>();

export async function graphqlAnswer(world: World, query: string, variables: Fields): Promise<ExecutionResult> {
  const document = allowed.get(query) ?? parse(query);
  if (!allowed.has(query)) {
    const errors = validate(schema(), document);
    if (errors.length > 0) return { errors };
    allowed.set(query, document);
  }
  return execute({ schema: schema(), document, rootValue: rootOf(world), variableValues: variables });
}

interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
}

/** A list cut after a cursor. Cursors name an item, not its place. */
function connection(
  items: readonly { readonly cursor: string; readonly node: unknown }[],
  { first, after }: PageArguments,
) {
  const start = after ? items.findIndex(({ cursor }) => cursor === after) + 1 : 0;
  const page = items.slice(start, start + first);
  return {
    totalCount: items.length,
    nodes: page.map(({ node }) => node),
    pageInfo: { hasNextPage: start + first < items.length, endCursor: page.at(-1)?.cursor ?? null },
  };
}

const listed = (items: readonly unknown[]) => (args: PageArguments) =>
  connection(
    items.map((node, i) => ({ cursor: `item ${i}`, node })),
    args,
  );

/** Those that changed last first. The cursor is a place in this order: what changes meanwhile does not move it. */
function pullRequests({ pulls }: ReplayedRepository, { first, after }: PageArguments) {
  const place = ({ pull }: ReplayedPull) => `${pull.updated_at} ${String(pull.number).padStart(9, '0')}`;
  const ordered = pulls.toSorted((one, other) => (place(one) < place(other) ? 1 : -1));
  const rest = after ? ordered.filter((pull) => place(pull) < after) : ordered;
  const { nodes, ...page } = connection(
    rest.map((pull) => ({ cursor: place(pull), node: pull })),
    { first },
  );
  return { ...page, totalCount: pulls.length, nodes: nodes.map((pull) => pullRequest(pull as ReplayedPull)) };
}

function rootOf({ repositories, organizations }: World) {
  const node = (id: string) => {
    const all = repositories.flatMap(({ pulls }) => pulls);
    const whole = all.find(({ pull }) => pull.node_id === id);
    if (whole) return pullRequest(whole);
    const ofThread = all.find(({ pull }) => id.startsWith(`${threadPrefix(pull)}_`));
    const below = ofThread ? reviewThreads(ofThread) : organizations.flatMap(({ teams }) => teams.map(team));
    return below.find((each) => each.id === id);
  };
  return {
    rateLimit: { limit: 5_000, remaining: 4_999, resetAt: '2030-01-01T00:00:00Z' },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const found = repositories.find(({ repository }) => repository.full_name === `${owner}/${name}`);
      return (
        found && {
          pullRequests: (args: PageArguments) => pullRequests(found, args),
          pullRequest: ({ number }: { number: number }) => {
            const pull = found.pulls.find((each) => each.pull.number === number);
            return pull && pullRequest(pull);
          },
        }
      );
    },
    node: ({ id }: { id: string }) => node(id),
    organization: ({ login }: { login: string }) => {
      const found = organizations.find((each) => each.login.toLowerCase() === login.toLowerCase());
      return found && organization(found);
    },
  };
}

const account = (user: unknown) => user as { login: string; type: string } | null | undefined;

/** A deleted account is null here, and an app's login has no `[bot]`. */
function actor(value: unknown) {
  const user = account(value);
  if (!user || user.login === 'ghost') return null;
  return { __typename: user.type, login: user.type === 'Bot' ? user.login.replace('[bot]', '') : user.login };
}

function pullRequest({ pull, timeline, reviews, reviewComments, commits, files }: ReplayedPull) {
  const { base, head } = pull as unknown as { base: { ref: string }; head: { ref: string } };
  const whole: ReplayedPull = { pull, timeline, reviews, reviewComments, commits, files };
  return {
    __typename: 'PullRequest',
    id: pull.node_id,
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? '',
    state: pull.merged_at ? 'MERGED' : String(pull.state).toUpperCase(),
    isDraft: pull.draft,
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
    closedAt: pull.closed_at,
    mergedAt: pull.merged_at,
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changed_files,
    baseRefName: base.ref,
    headRefName: head.ref,
    mergeCommit: pull.merged_at ? { oid: pull.merge_commit_sha } : null,
    author: actor(pull.user),
    labels: listed(pull.labels as Fields[]),
    timelineItems: ({ itemTypes, ...page }: PageArguments & { itemTypes: readonly string[] }) =>
      listed(timeline.flatMap(timelineItem).filter(({ itemType }) => itemTypes.includes(itemType)))(page),
    reviews: listed(reviews.map(review)),
    reviewThreads: listed(reviewThreads(whole)),
    comments: listed(timeline.filter(({ event }) => event === 'commented').map(comment)),
    commits: listed(commits.map((each) => ({ commit: commit(each) }))),
    files: listed(files.map(({ filename, ...file }) => ({ ...file, path: filename }))),
  };
}

const comment = (item: Fields) => ({
  fullDatabaseId: String(item.id),
  author: actor(item.user),
  body: item.body ?? '',
  createdAt: item.created_at,
  url: item.html_url,
});

const review = (item: Fields) => ({
  fullDatabaseId: String(item.id),
  author: actor(item.user),
  body: item.body ?? '',
  state: item.state,
  submittedAt: item.submitted_at,
  url: item.html_url,
});

const threadPrefix = ({ node_id }: ReplayedPull['pull']): string => `PRRT_${node_id}`;

/** Comments on the same line: the first, and all that answer it. */
function reviewThreads({ pull, reviewComments }: ReplayedPull) {
  const firstOf = ({ id, in_reply_to_id }: Fields) => in_reply_to_id ?? id;
  return [...new Set(reviewComments.map(firstOf))].map((first) => ({
    __typename: 'PullRequestReviewThread',
    id: `${threadPrefix(pull)}_${first}`,
    comments: listed(
      reviewComments
        .filter((each) => firstOf(each) === first)
        .map((each) => ({
          ...comment(each),
          state: 'SUBMITTED',
          path: each.path,
          replyTo: each.in_reply_to_id ? { fullDatabaseId: String(each.in_reply_to_id) } : null,
        })),
    ),
  }));
}

/** The author of a commit is a user or nobody: a bot is nobody here. */
function commit(item: Fields) {
  const { author, committer, message } = item.commit as Record<string, Fields> & { message: string };
  const user = account(item.author);
  const stats = item.stats as Fields;
  return {
    oid: item.sha,
    message,
    url: item.html_url,
    additions: stats.additions,
    deletions: stats.deletions,
    authoredDate: author?.date,
    committedDate: committer?.date,
    author: { name: author?.name, email: author?.email, user: user?.type === 'User' ? { login: user.login } : null },
  };
}

/** Names that GraphQL does not make of REST's by rule. */
const irregular: Readonly<Record<string, string>> = { renamed: 'renamed_title' };

function timelineItem(event: Fields) {
  const name = String(event.event);
  if (['commented', 'reviewed', 'committed', 'cross-referenced'].includes(name)) return [];
  const snake = `${irregular[name] ?? name}_event`;
  const requested = event.requested_team
    ? { __typename: 'Team', name: (event.requested_team as Fields).name }
    : actor(event.requested_reviewer);
  const dismissed = event.dismissed_review as Fields | undefined;
  return [
    {
      itemType: snake.toUpperCase(),
      __typename: snake.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      id: event.node_id,
      createdAt: event.created_at,
      actor: actor(event.actor),
      label: event.label,
      milestoneTitle: (event.milestone as Fields | undefined)?.title,
      assignee: actor(event.assignee),
      requestedReviewer: requested,
      previousTitle: (event.rename as Fields | undefined)?.from,
      currentTitle: (event.rename as Fields | undefined)?.to,
      previousReviewState: dismissed && String(dismissed.state).toUpperCase(),
      dismissalMessage: dismissed?.dismissal_message,
      commit: event.commit_id ? { oid: event.commit_id } : null,
    },
  ];
}

const team = ({ name, parent, logins }: ReplayedOrganization['teams'][number]) => ({
  __typename: 'Team',
  id: `T_${name}`,
  name,
  parentTeam: parent === undefined ? null : { name: parent },
  members: listed(logins.map((login) => ({ login }))),
});

const organization = ({ members, teams }: ReplayedOrganization) => ({
  membersWithRole: listed(
    members.map(({ login, name, emails }) => ({ login, name, organizationVerifiedDomainEmails: () => emails })),
  ),
  teams: listed(teams.map(team)),
});
