import { goneOrForbidden, type ReadRepository } from '../code-host/chosen-repositories.ts';
import { directoryPage } from '../code-host/directory-stream.ts';
import { Payload } from '../payload.ts';
import { type HostPerson, type HostTeam, type Page, SourceProblem } from '../source.ts';
import { convertMember } from './convert/person.ts';
import { convertProject, type ListedProject, pathOf } from './convert/project.ts';
import { asPart, type GitlabApi, unseen } from './gitlab-api.ts';

/** All of the group, where one is named; else all of which the token is a member. */
export async function listProjects(api: GitlabApi, group: string | undefined) {
  const query = { archived: 'false', order_by: 'id', sort: 'asc' };
  const list = await (group === undefined
    ? api.list('/projects', { query: { ...query, membership: 'true' } })
    : api.list(`/groups/${asPart(group)}/projects`, {
        // Projects that are only shared with the group belong to another.
        query: { ...query, include_subgroups: 'true', with_shared: 'false' },
        alsoGood: [404],
      }));
  if (!list) throw groupUnseen(String(group));
  return { repositories: list.items.map(convertProject), at: list.at };
}

/** By path or number. GitLab leads from an old path to the project. */
export async function readProject(api: GitlabApi, name: string): Promise<ReadRepository<ListedProject>> {
  const { status, body, at } = await api.get(`/projects/${asPart(name)}`, { alsoGood: unseen });
  if (status >= 300) throw goneOrForbidden(name, 'projects');
  return { repository: convertProject(body), at };
}

const groupUnseen = (group: string): SourceProblem =>
  new SourceProblem(
    `The group ${group} is gone, or the token may not see it`,
    'Make the token’s account a member of it with the role Reporter, or correct the setting group.',
    { isRefused: true },
  );

/**
 * Members of a group and of the groups below it, which are teams. A token of projects alone does not see their group: then
 * the members of those projects are all that is known.
 */
export async function readDirectory(
  api: GitlabApi,
  group: string,
  projects: () => Promise<readonly ListedProject[]>,
): Promise<Page> {
  const path = `/groups/${asPart(group)}`;
  const people = new Map<string, HostPerson>();
  /** Logins of a list of members; undefined where the token may not see it. */
  const take = async (list: string): Promise<string[] | undefined> => {
    const answer = await api.list(list, { alsoGood: unseen });
    const members = answer && Payload.listOf(answer.items, 'member').flatMap((member) => convertMember(member) ?? []);
    for (const member of members ?? []) people.set(member.login, member);
    return members?.map(({ login }) => login);
  };
  const top = await api.get(path, { alsoGood: unseen });
  const teams: HostTeam[] = [];
  if (top.status < 300 && (await take(`${path}/members/all`))) {
    const topName = Payload.of(top.body, 'group').text('full_name');
    const groups = await api.list(`${path}/descendant_groups`, { alsoGood: unseen });
    for (const one of Payload.listOf(groups?.items ?? [], 'group')) {
      // A group that was deleted meanwhile has nobody.
      const logins = (await take(`/groups/${one.id('id')}/members`)) ?? [];
      teams.push({ ...namesOf(one.text('full_name').slice(topName.length + separator.length)), logins });
    }
  } else {
    const own = (await projects()).filter(({ name }) => name.toLowerCase().startsWith(`${group.toLowerCase()}/`));
    for (const project of own) await take(`${pathOf(project)}/members/all`);
    if (people.size === 0) throw groupUnseen(group);
  }
  return directoryPage({ owner: group, people: [...people.values()], teams }, top.at, hiddenAddresses);
}

const hiddenAddresses = 'Addresses of members are shown to the token of an administrator alone';

const separator = ' / ';

/** Groups of one name may lie below several: a team is called by its way from the top, `Shop / Checkout`. */
function namesOf(name: string): Omit<HostTeam, 'logins'> {
  const end = name.lastIndexOf(separator);
  return { name, ...(end > 0 && { parent: name.slice(0, end) }) };
}
