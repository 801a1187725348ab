import type { CodeHostReader } from '../code-host/code-host-reader.ts';
import { Payload } from '../payload.ts';
import type { Check } from '../source.ts';
import { type ListedProject, pathOf } from './convert/project.ts';
import { asPart, type GitlabApi, unseen } from './gitlab-api.ts';

/** A list that a sync asks of a project, by the feature that it belongs to, and what it asks of each item. */
interface AskedList {
  readonly feature: string;
  readonly path: string;
  readonly what: string;
  readonly key?: 'iid' | 'id';
  readonly parts?: readonly (readonly [path: string, what: string])[];
}

const asked: readonly AskedList[] = [
  {
    feature: 'merge_requests',
    path: 'merge_requests',
    what: 'Merge requests',
    key: 'iid',
    parts: [
      ['/notes', 'Notes of merge requests'],
      ['/commits', 'Commits of merge requests'],
    ],
  },
  { feature: 'issues', path: 'issues', what: 'Issues', key: 'iid', parts: [['/notes', 'Comments of issues']] },
  { feature: 'builds', path: 'pipelines', what: 'Pipelines', key: 'id', parts: [['', 'Details of pipelines']] },
  {
    feature: 'environments',
    path: 'deployments',
    what: 'Deployments',
    key: 'id',
    parts: [['/merge_requests', 'Merge requests of deployments']],
  },
  { feature: 'environments', path: 'environments', what: 'Environments, whose tiers tell what is production,' },
  { feature: 'releases', path: 'releases', what: 'Releases' },
];

/** The token is tried on everything that a sync would ask, each once. */
export async function checkGitlab(api: GitlabApi, reader: CodeHostReader<ListedProject>): Promise<Check> {
  const token = await api.get('/personal_access_tokens/self', { alsoGood: [400, ...unseen] });
  const user = await api.get('/user', { alsoGood: unseen });
  const account = user.status < 300 ? Payload.of(user.body, 'account').text('username') : null;
  const said = { ...(account && { account }), clockDifferenceSeconds: user.at - Math.floor(Date.now() / 1_000) };
  // Older versions do not say what a token may do.
  const scopes = token.status < 300 ? Payload.of(token.body, 'token').texts('scopes') : ['api'];
  if (!scopes.includes('read_api') && !scopes.includes('api')) {
    return { ...said, sees: [], missing: ['read_api is missing: nothing can be read. Make a token with this scope'] };
  }
  const chosen = await reader.choose();
  const { sees, missing } = reader.seenOf(chosen);
  const [first] = chosen.repositories;
  const lists = first ? await listsTried(api, first) : { reads: [], missing: [] };
  return {
    ...said,
    sees,
    reads: lists.reads,
    missing: [
      ...missing,
      ...lists.missing,
      ...(await membersMissing(api, reader.ownersOf(chosen))),
      ...((await api.graphql('query { currentUser { username } }', {})) ? [] : [withoutGraphql]),
    ],
  };
}

const withoutGraphql =
  'GraphQL is missing: changed lines are counted one merge request after the other, which takes more requests';

/** The lists of a project: those that can be read by name, and what to do about the others. */
async function listsTried(api: GitlabApi, project: ListedProject) {
  const [reads, missing]: [string[], string[]] = [[], []];
  /** Whether it can be read, and the first of a list. */
  const tryOn = async (path: string, what: string, role = 'Reporter') => {
    const { status, body } = await api.get(`${pathOf(project)}/${path}`, { query: { per_page: 1 }, alsoGood: unseen });
    if (status < 300) return { first: Array.isArray(body) ? Payload.listOf(body, path)[0] : undefined };
    missing.push(`${what} of ${project.name} cannot be read: give the token’s account the role ${role} there`);
    return undefined;
  };
  for (const { feature, path, what, key = 'id', parts = [] } of asked) {
    if (project.without.includes(feature)) continue;
    const read = await tryOn(path, what);
    if (!read) continue;
    reads.push(what.replace(/,.*/, ''));
    for (const [part, ofPart] of read.first ? parts : []) {
      await tryOn(`${path}/${read.first?.id(key)}${part}`, ofPart);
    }
  }
  if (project.hasMergeTrains && (await tryOn('merge_trains', 'Merge trains', 'Developer'))) reads.push('Merge trains');
  return { reads, missing };
}

/** Whose members cannot be seen, and whose addresses. */
async function membersMissing(api: GitlabApi, groups: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const group of groups) {
    const path = `/groups/${asPart(group)}`;
    const ask = (list: string) => api.get(`${path}${list}`, { alsoGood: unseen });
    const [itself, members, below] = [await ask(''), await ask('/members/all'), await ask('/descendant_groups')];
    if (itself.status >= 300 || members.status >= 300) {
      const toDo = 'make the token’s account a member of it. Else members of projects are all that is known';
      missing.push(`Members and subgroups of ${group} cannot be read: ${toDo}`);
      continue;
    }
    if (Payload.listOf(members.body, 'member').every((member) => !member.has('email'))) {
      const why = 'people are known by their user names. Only the token of an administrator shows them';
      missing.push(`Addresses of the members of ${group} are hidden: ${why}`);
    }
    const [first] = below.status < 300 ? Payload.listOf(below.body, 'group') : [];
    const inFirst = first && (await api.get(`/groups/${first.id('id')}/members`, { alsoGood: unseen }));
    if (below.status >= 300 || (inFirst && inFirst.status >= 300)) {
      const toDo = 'make the token’s account a member of them. Else there are no teams';
      missing.push(`Subgroups of ${group}, or their members, cannot be read: ${toDo}`);
    }
  }
  return missing;
}
