import type { Fields, ReplayedPull, ReplayedRepository, World } from './world.ts';

/** What the interface answers before it is cut into pages. */
export type RestAnswer =
  | { readonly object: unknown }
  | { readonly list: readonly unknown[]; readonly field?: string; readonly total?: number }
  | { readonly movedTo: string }
  | { readonly status: number };

const notFound: RestAnswer = { status: 404 };

/** The answer to a path of GitHub's REST interface. */
export function restAnswer(world: World, path: string, query: URLSearchParams): RestAnswer {
  const [, area, ...rest] = path.split('/').map(decodeURIComponent);
  switch (area) {
    case 'user':
      return rest[0] === 'repos'
        ? { list: world.repositories.map(({ repository }) => repository) }
        : { object: { login: 'plumb-reader', type: 'User' } };
    case 'installation':
      return { list: world.repositories.map(({ repository }) => repository), field: 'repositories' };
    case 'repos':
      return ofRepository(world, rest.slice(0, 2).join('/'), rest.slice(2).join('/'), query);
    case 'repositories':
      return byNumber(world, Number(rest[0]), rest.slice(1).join('/'), query);
    case 'orgs':
      return ofOrganization(world, rest[0] ?? '', rest.slice(1));
    default:
      return notFound;
  }
}

function ofRepository(world: World, name: string, below: string, query: URLSearchParams): RestAnswer {
  const isNamed = (other: string) => other.toLowerCase() === name.toLowerCase();
  const found = world.repositories.find(({ repository }) => isNamed(repository.full_name));
  if (found) return below === '' ? { object: found.repository } : belowRepository(found, below, query);
  const moved = world.repositories.find(({ earlierNames = [] }) => earlierNames.some(isNamed));
  return moved ? { movedTo: `/repositories/${moved.repository.id}${below && `/${below}`}` } : notFound;
}

function byNumber(world: World, id: number, below: string, query: URLSearchParams): RestAnswer {
  const found = world.repositories.find(({ repository }) => repository.id === id);
  return found ? ofRepository(world, found.repository.full_name, below, query) : notFound;
}

const newestFirst = (field: string) => (one: Fields, other: Fields) => {
  const [here, there] = [String(one[field]), String(other[field])];
  if (here === there) return Number(other.id) - Number(one.id);
  return here < there ? 1 : -1;
};

function belowRepository(repository: ReplayedRepository, below: string, query: URLSearchParams): RestAnswer {
  const [first, second, third] = below.split('/');
  switch (first) {
    case 'pulls':
      return second === undefined ? pullList(repository) : ofPull(repository, Number(second), third);
    case 'commits': {
      const commits = repository.pulls.flatMap((pull) => pull.commits);
      return objectOrMissing(commits.find(({ sha }) => sha === second));
    }
    case 'issues':
      return belowIssues(repository, second, third);
    case 'releases':
      return belowReleases(repository, second, third);
    case 'deployments':
      return belowDeployments(repository, second, third);
    case 'actions':
      return belowActions(repository, third, below.split('/')[3], query);
    default:
      return notFound;
  }
}

const objectOrMissing = (object: unknown): RestAnswer => (object === undefined ? notFound : { object });

/** The list lacks what only the detail has. */
function pullList({ pulls }: ReplayedRepository): RestAnswer {
  const listed = pulls.map(({ pull }) => {
    const { additions: _a, deletions: _d, changed_files: _c, merged_by: _m, ...rest } = pull;
    return rest as Fields;
  });
  return { list: listed.toSorted(newestFirst('updated_at')) };
}

/** GitHub lists no more commits of a pull request. */
const maxCommits = 250;

function ofPull({ pulls }: ReplayedRepository, number: number, part: string | undefined): RestAnswer {
  const found = pulls.find(({ pull }) => pull.number === number);
  if (!found) return notFound;
  const lists: Record<string, (pull: ReplayedPull) => Fields[]> = {
    reviews: ({ reviews }) => reviews,
    comments: ({ reviewComments }) => reviewComments,
    commits: ({ commits }) => commits.slice(0, maxCommits).map(({ stats: _, files: __, ...commit }) => commit),
    files: ({ files }) => files,
  };
  if (part === undefined) return { object: found.pull };
  const list = lists[part]?.(found);
  return list ? { list } : notFound;
}

function belowIssues({ pulls, issues }: ReplayedRepository, second?: string, third?: string): RestAnswer {
  const asIssue = ({ pull }: ReplayedPull): Fields => ({
    id: pull.id,
    number: pull.number,
    state: pull.state,
    title: pull.title,
    html_url: pull.html_url,
    user: pull.user,
    labels: pull.labels,
    created_at: pull.created_at,
    updated_at: pull.updated_at,
    closed_at: pull.closed_at,
    pull_request: { html_url: pull.html_url },
  });
  const conversation = pulls.flatMap(({ timeline }) => timeline.filter(({ event }) => event === 'commented'));
  if (second === undefined) {
    return { list: [...issues.map(({ issue }) => issue), ...pulls.map(asIssue)].toSorted(newestFirst('updated_at')) };
  }
  if (second === 'comments') {
    const all = [...issues.flatMap(({ comments }) => comments), ...conversation];
    return { list: all.toSorted(newestFirst('updated_at')) };
  }
  const issue = issues.find((each) => each.issue.number === Number(second));
  const pull = pulls.find((each) => each.pull.number === Number(second));
  if (third === 'timeline' && pull) return { list: pull.timeline };
  if (third === 'comments' && issue) return { list: issue.comments };
  return objectOrMissing(third === undefined ? issue?.issue : undefined);
}

function belowReleases({ releases }: ReplayedRepository, second?: string, tag?: string): RestAnswer {
  if (second === undefined) return { list: releases.toSorted(newestFirst('created_at')) };
  const isWanted = ({ id, tag_name }: Fields) => (second === 'tags' ? tag_name === tag : id === Number(second));
  return objectOrMissing(releases.find(isWanted));
}

function belowDeployments({ deployments }: ReplayedRepository, id?: string, part?: string): RestAnswer {
  if (id === undefined)
    return { list: deployments.map(({ deployment }) => deployment).toSorted(newestFirst('created_at')) };
  const found = deployments.find(({ deployment }) => deployment.id === Number(id));
  return part === 'statuses' && found ? { list: found.statuses } : objectOrMissing(found?.deployment);
}

/** GitHub gives no more runs of a filter. */
const maxFilteredRuns = 1_000;

function belowActions(
  { runs }: ReplayedRepository,
  id: string | undefined,
  part: string | undefined,
  query: URLSearchParams,
): RestAnswer {
  if (id === undefined) {
    const created = query.get('created');
    const [from = '', to = ''] = created?.split('..') ?? [];
    const chosen = runs.filter(({ run }) => created === null || (run.created_at >= from && run.created_at <= to));
    const list = chosen.map(({ run }) => run as Fields).toSorted(newestFirst('created_at'));
    const given = created === null ? list : list.slice(0, maxFilteredRuns);
    return { list: given, field: 'workflow_runs', total: list.length };
  }
  const found = runs.find(({ run }) => run.id === Number(id));
  if (!found) return notFound;
  if (part === 'timing') return { object: found.timing };
  if (part === 'artifacts') return { list: found.artifacts, field: 'artifacts' };
  return { object: found.run };
}

function ofOrganization({ organizations, repositories }: World, login: string, below: readonly string[]): RestAnswer {
  const organization = organizations.find((each) => each.login.toLowerCase() === login.toLowerCase());
  if (!organization) return notFound;
  const account = (name: string) => ({ login: name, type: 'User' });
  const [first, slug] = below;
  switch (first) {
    case 'members':
      return { list: organization.members.map((member) => account(member.login)) };
    case 'teams': {
      const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
      const teams = organization.teams.map(({ name, parent }) => ({
        name,
        slug: slugOf(name),
        parent: parent === undefined ? null : { name: parent, slug: slugOf(parent) },
      }));
      if (slug === undefined) return { list: teams };
      const team = organization.teams.find(({ name }) => slugOf(name) === slug);
      return team ? { list: team.logins.map(account) } : notFound;
    }
    case 'repos': {
      const own = repositories.filter(({ repository }) => repository.full_name.startsWith(`${organization.login}/`));
      return { list: own.map(({ repository }) => repository) };
    }
    default:
      return { object: { login: organization.login } };
  }
}
