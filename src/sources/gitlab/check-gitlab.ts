import type { CodeHostReader } from '../code-host/code-host-reader.ts';
import { Payload } from '../payload.ts';
import type { Check } from '../source.ts';
import { type ListedProject, pathOf } from './convert/project.ts';
import { asPart, type GitlabApi, unseen } from './gitlab-api.ts';

/** What a sync asks of a project, by the feature that it belongs to. */
const asked = [
  ['merge_requests', 'merge_requests', 'Merge requests'],
  ['issues', 'issues', 'Issues'],
  ['builds', 'pipelines', 'Pipelines'],
  ['environments', 'deployments', 'Deployments'],
  ['environments', 'environments', 'Environments, whose tiers tell what is production,'],
  ['releases', 'releases', 'Releases'],
] as const;

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
  const tryOn = async (path: string, what: string, role: string) => {
    const { status } = await api.get(`${pathOf(project)}/${path}`, { query: { per_page: 1 }, alsoGood: unseen });
    if (status < 300) {
      reads.push(what.replace(/,.*/, ''));
      return;
    }
    missing.push(`${what} of ${project.name} cannot be read: give the token’s account the role ${role} there`);
  };
  for (const [feature, path, what] of asked) {
    if (!project.without.includes(feature)) await tryOn(path, what, 'Reporter');
  }
  if (project.hasMergeTrains) await tryOn('merge_trains', 'Merge trains', 'Developer');
  return { reads, missing };
}

/** Whose members cannot be seen, and whose addresses. */
async function membersMissing(api: GitlabApi, groups: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const group of groups) {
    const { status, body } = await api.get(`/groups/${asPart(group)}/members/all`, { alsoGood: unseen });
    if (status >= 300) {
      const toDo = 'make the token’s account a member of it. Else members of projects are all that is known';
      missing.push(`Members and subgroups of ${group} cannot be read: ${toDo}`);
    } else if (Payload.listOf(body, 'member').every((member) => !member.has('email'))) {
      const why = 'people are known by their user names. Only the token of an administrator shows them';
      missing.push(`Addresses of the members of ${group} are hidden: ${why}`);
    }
  }
  return missing;
}
