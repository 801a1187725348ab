import type { Reply } from '../../jobs/failing-answers.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export const gitlabNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const gitlabToken = 'glpat-of-nobody-in-particular';
const day = 86_400;
export const daysAgo = (days: number): string => new Date((gitlabNow - days * day) * 1_000).toISOString();

export type Item = Record<string, unknown>;

/** A project as the interface knows it, with everything below it. */
export interface ProjectWorld {
  readonly payload: Item & { id: number; path_with_namespace: string };
  /** Old paths, from which GitLab leads here. */
  readonly earlierPaths: string[];
  readonly lists: Record<
    'merge_requests' | 'issues' | 'pipelines' | 'deployments' | 'releases' | 'environments',
    Item[]
  >;
  /** By path below the project: `merge_requests/1/notes`. */
  readonly parts: Record<string, Item[]>;
  /** By number of a merge request. */
  readonly cars: Record<string, Item>;
  /** By number of a merge request, what GraphQL says of it. */
  readonly inBulk: Record<string, Item>;
}

export interface GroupWorld {
  readonly id: number;
  readonly full_path: string;
  readonly full_name: string;
  readonly members: Item[];
}

export interface GitlabWorld {
  readonly projects: ProjectWorld[];
  readonly groups: GroupWorld[];
  /** Paths that are refused, with the status. */
  readonly refused: { readonly path: RegExp; readonly status: number }[];
  hasGraphql: boolean;
  /** Of a page, however many are asked for. */
  maxPage: number;
  scopes: string[];
}

export const user = (username: string) => ({
  id: username.length,
  username,
  name: username.toUpperCase(),
  state: 'active',
});

export function someMergeRequest(iid: number, days: number, more: Item = {}): Item {
  const state = more.state ?? 'merged';
  return {
    id: 9_000 + iid,
    iid,
    title: `Change ${iid}`,
    description: `Closes #${iid}`,
    state,
    created_at: daysAgo(days + 0.5),
    updated_at: daysAgo(days),
    merged_at: state === 'merged' ? daysAgo(days) : null,
    merge_user: state === 'merged' ? user('grace') : null,
    closed_at: state === 'closed' ? daysAgo(days) : null,
    closed_by: state === 'closed' ? user('ada') : null,
    target_branch: 'main',
    source_branch: `change-${iid}`,
    author: user('ada'),
    labels: ['backend'],
    draft: false,
    sha: `${iid}a`.repeat(8),
    merge_commit_sha: state === 'merged' ? `${iid}b`.repeat(8) : null,
    squash_commit_sha: null,
    web_url: `https://gitlab.example/acme/web/-/merge_requests/${iid}`,
    ...more,
  };
}

export const note = (id: number, days: number, author: string, body: string, more: Item = {}): Item => ({
  id,
  type: null,
  body,
  author: user(author),
  created_at: daysAgo(days),
  updated_at: daysAgo(days),
  system: false,
  ...more,
});

export const systemNote = (id: number, days: number, author: string, body: string): Item =>
  note(id, days, author, body, { system: true });

export const commit = (sha: string, days: number): Item => ({
  id: sha,
  short_id: sha.slice(0, 8),
  title: 'A commit',
  message: 'A commit\n\nwith a body',
  author_name: 'Ada',
  author_email: 'ada@acme.example',
  authored_date: daysAgo(days),
  committed_date: daysAgo(days),
  web_url: `https://gitlab.example/acme/web/-/commit/${sha}`,
});

export const someIssue = (iid: number, days: number, more: Item = {}): Item => ({
  id: 7_000 + iid,
  iid,
  title: `Issue ${iid}`,
  description: '',
  state: 'opened',
  created_at: daysAgo(days + 1),
  updated_at: daysAgo(days),
  closed_at: null,
  labels: [],
  author: user('grace'),
  assignees: [user('ada')],
  user_notes_count: 0,
  issue_type: 'issue',
  weight: null,
  iteration: null,
  web_url: `https://gitlab.example/acme/web/-/issues/${iid}`,
  ...more,
});

export const somePipeline = (id: number, days: number, more: Item = {}): Item => ({
  id,
  iid: id % 1_000,
  sha: `${id}c`.repeat(4),
  ref: 'main',
  status: 'success',
  source: 'push',
  created_at: daysAgo(days + 0.01),
  updated_at: daysAgo(days),
  web_url: `https://gitlab.example/acme/web/-/pipelines/${id}`,
  ...more,
});

export const someDeployment = (id: number, days: number, more: Item = {}): Item => ({
  id,
  iid: id % 1_000,
  ref: 'main',
  sha: `${id}d`.repeat(4),
  status: 'success',
  created_at: daysAgo(days + 0.01),
  updated_at: daysAgo(days),
  user: user('grace'),
  environment: { id: 1, name: 'live-eu' },
  deployable: {
    id: id + 50,
    name: 'deploy-live',
    tag: false,
    status: 'success',
    started_at: daysAgo(days + 0.005),
    finished_at: daysAgo(days),
    pipeline: { id: 31, web_url: 'https://gitlab.example/acme/web/-/pipelines/31' },
  },
  ...more,
});

export const someRelease = (tag: string, days: number, more: Item = {}): Item => ({
  tag_name: tag,
  name: `Release ${tag}`,
  description: 'Notes',
  created_at: daysAgo(days),
  released_at: daysAgo(days),
  author: user('grace'),
  _links: { self: `https://gitlab.example/acme/web/-/releases/${tag}` },
  ...more,
});

export const someProject = (id: number, path: string, more: Item = {}): ProjectWorld => ({
  payload: {
    id,
    path_with_namespace: path,
    default_branch: 'main',
    created_at: '2025-01-01T00:00:00.000Z',
    archived: false,
    namespace: { kind: 'group', full_path: path.slice(0, path.lastIndexOf('/')) },
    ...more,
  },
  earlierPaths: [],
  lists: { merge_requests: [], issues: [], pipelines: [], deployments: [], releases: [], environments: [] },
  parts: {},
  cars: {},
  inBulk: {},
});

const ok = (body: unknown, headers?: Reply['headers']): Reply => ({ status: 200, body, ...(headers && { headers }) });
const missing: Reply = { status: 404, body: { message: '404 Not found' } };

/** GitLab as it is documented: pages with links, the newest first where it is asked so, what is older than a moment. */
export function gitlabAnswer(world: GitlabWorld, asked: AskedRequest): Reply {
  if (asked.headers['private-token'] !== gitlabToken) return { status: 401, body: { message: '401 Unauthorized' } };
  const refused = world.refused.find(({ path }) => path.test(asked.path));
  if (refused) return { status: refused.status, body: { message: 'no' } };
  if (asked.path === '/api/graphql') return graphqlAnswer(world, asked);
  const path = asked.path.replace(/^\/api\/v4/, '');
  if (path === '/user') return ok(user('plumb'));
  if (path === '/personal_access_tokens/self') return ok({ id: 1, scopes: world.scopes });
  const all = world.projects.map(({ payload }) => payload);
  if (path === '/projects') return pageOf(world, asked, all);
  const [, groupName, ofGroup] = /^\/groups\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (groupName !== undefined) return groupAnswer(world, asked, decodeURIComponent(groupName), ofGroup);
  const [, projectName = '', below] = /^\/projects\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  const name = decodeURIComponent(projectName);
  const project = world.projects.find(
    ({ payload, earlierPaths }) =>
      String(payload.id) === name || payload.path_with_namespace === name || earlierPaths.includes(name),
  );
  if (!project) return missing;
  return below === undefined ? ok(project.payload) : projectAnswer(world, asked, project, below);
}

function groupAnswer(world: GitlabWorld, asked: AskedRequest, name: string, below: string | undefined): Reply {
  const group = world.groups.find(({ id, full_path }) => String(id) === name || full_path === name);
  if (!group) return missing;
  const isBelow = ({ full_path }: GroupWorld) => full_path.startsWith(`${group.full_path}/`);
  const { members, ...payload } = group;
  if (below === undefined) return ok(payload);
  if (below === 'members' || below === 'members/all') return pageOf(world, asked, members);
  if (below === 'descendant_groups')
    return pageOf(
      world,
      asked,
      world.groups.filter(isBelow).map(({ members: _, ...one }) => one),
    );
  if (below !== 'projects') return missing;
  const projects = world.projects.filter(({ payload: one }) =>
    one.path_with_namespace.startsWith(`${group.full_path}/`),
  );
  return pageOf(
    world,
    asked,
    projects.map(({ payload: one }) => one),
  );
}

function projectAnswer(world: GitlabWorld, asked: AskedRequest, project: ProjectWorld, below: string): Reply {
  const part = project.parts[below];
  if (part) return pageOf(world, asked, part);
  const [kind = '', key, rest] = below.split(/\/(?=[^/]+(?:\/|$))/);
  if (kind === 'merge_trains') {
    const car = project.cars[below.split('/').at(-1) ?? ''];
    return below === 'merge_trains' ? ok(Object.values(project.cars)) : car ? ok(car) : missing;
  }
  const list = project.lists[kind as keyof ProjectWorld['lists']];
  if (!list) return missing;
  if (key === undefined) return pageOf(world, asked, kind === 'environments' ? list : newestFirst(list, asked));
  const name = decodeURIComponent(key);
  const item = list.find((one) => String(kind.match(/requests|issues/) ? one.iid : (one.tag_name ?? one.id)) === name);
  if (!item) return missing;
  if (rest !== undefined) return rest === 'approvals' ? ok({ approved_by: [] }) : ok([]);
  const started = { user: user('ada'), started_at: item.created_at, finished_at: item.updated_at, name: 'Tests' };
  return ok(kind === 'pipelines' ? { ...started, ...item } : item);
}

/** Deployments are given by update only together with a moment, and nothing without an order is the newest first. */
function newestFirst(list: readonly Item[], { query }: AskedRequest): readonly Item[] {
  const order = query.get('order_by') ?? 'id';
  const before = query.get('updated_before');
  if (order === 'updated_at' && before === null) throw new Error('`updated_at` sorting requires a filter');
  const found = list.filter((item) => before === null || String(item.updated_at) <= before);
  const sign = query.get('sort') === 'asc' ? -1 : 1;
  return found.toSorted((one, other) => (String(one[order]) < String(other[order]) ? sign : -sign));
}

function pageOf({ maxPage }: GitlabWorld, { path, query }: AskedRequest, items: readonly Item[]): Reply {
  const [page, wanted] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
  const size = Math.min(wanted, maxPage, 100);
  const shown = items.slice((page - 1) * size, page * size);
  if (page * size >= items.length) return ok(shown, { 'x-total': String(items.length) });
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  return ok(shown, { 'x-total': String(items.length), link: `<${path}?${next}>; rel="next"` });
}

function graphqlAnswer(world: GitlabWorld, { body }: AskedRequest): Reply {
  if (!world.hasGraphql) return missing;
  const { query, variables } = body as { readonly query: string; readonly variables: Record<string, unknown> };
  if (query.includes('currentUser')) return ok({ data: { currentUser: { username: 'plumb' } } });
  const project = world.projects.find(({ payload }) => payload.path_with_namespace === variables.project);
  const numbers = variables.numbers as readonly string[];
  const nodes = numbers.map((iid) => ({
    iid,
    diffStatsSummary: { additions: 3, deletions: 1, fileCount: 1 },
    diffStats: [{ path: 'src/one.ts', additions: 3, deletions: 1 }],
    approvedBy: { nodes: [] },
    ...project?.inBulk[iid],
  }));
  return ok({ data: { project: project ? { mergeRequests: { nodes } } : null } });
}
