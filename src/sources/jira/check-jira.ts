import type { Requests } from '../host-port.ts';
import { itemsOf } from '../paging.ts';
import { Payload } from '../payload.ts';
import type { Check, SourceOpening } from '../source.ts';
import { chosenProjects, isSame, type JiraProject, type JiraSite, noProjects, textsIn } from './site.ts';

/** So many projects are asked for rights and components, one by one. */
const maxProjects = 50;
const maxIssues = 50;

/** The account is tried on everything that a sync would ask, each once. */
export async function checkJira(
  { requests, settings }: SourceOpening,
  site: JiraSite,
  jqlOf: (project: JiraProject) => string,
): Promise<Check> {
  const { all, projects, missing } = await chosenProjects(requests, site, textsIn(settings.projects));
  const [first] = projects;
  const asked = projects.slice(0, maxProjects);
  const { message, toDo } = noProjects(missing);
  return {
    ...(site.account !== null && { account: site.account }),
    sees: [site.isCloud ? 'Jira Cloud' : 'Jira Data Center', `${projects.length} of ${all.length} projects`],
    missing: [
      ...(first ? missing.map(unseen) : [`${message}. ${toDo}`]),
      ...(await rightsMissing(requests, site, asked)),
      ...(first ? await readingMissing(requests, site, jqlOf(first)) : []),
      ...fieldMissing(site, settings.story_points_field),
      ...(await typesMissing(requests, site, textsIn(settings.incident_types))),
      ...(await repositoriesMissing(requests, site, asked, settings)),
    ],
    clockDifferenceSeconds: site.at - Math.floor(Date.now() / 1_000),
  };
}

const unseen = (key: string): string =>
  `The project ${key} is not seen. Correct the setting projects, or give the account the permission Browse Projects in it`;

async function rightsMissing(requests: Requests, { api }: JiraSite, projects: readonly JiraProject[]) {
  const missing: string[] = [];
  for (const { id, key } of projects) {
    const { body } = await requests.get(`${api}/mypermissions`, {
      query: { projectId: id, permissions: 'BROWSE_PROJECTS' },
    });
    const rights = Payload.of(body, 'rights').objectOrNull('permissions');
    if (rights?.objectOrNull('BROWSE_PROJECTS')?.isTrue('havePermission')) continue;
    missing.push(`Browse Projects is missing in ${key}: give the account this permission, or leave ${key} out`);
  }
  return missing;
}

/** Some issues as a sync asks for them, and whether it says who people are. */
async function readingMissing(
  requests: Requests,
  { api, isCloud, hasComments }: JiraSite,
  jql: string,
): Promise<string[]> {
  const asked = { jql, maxResults: maxIssues, fields: 'assignee' };
  const alsoGood = [400, 403];
  const answer = isCloud
    ? await requests.post(`${api}/search/jql`, { ...asked, fields: ['assignee'] }, { alsoGood })
    : await requests.get(`${api}/search`, { query: { ...asked, expand: 'changelog' }, alsoGood });
  if (answer.status >= 300)
    return [
      `Issues cannot be searched (${answer.status}): give the account Browse Projects, and the token read:jira-work`,
    ];
  const issues = Payload.listOf(itemsOf(answer.body, 'issues'), 'issue');
  const people = issues.flatMap((issue) => issue.objectOrNull('fields')?.objectOrNull('assignee') ?? []);
  const hidden = people.filter((person) => !person.has('emailAddress')).length;
  const [first] = issues;
  return [
    ...(isCloud && first ? await historyMissing(requests, api, first.id('id')) : []),
    ...(first && hasComments ? await commentsMissing(requests, api, first.id('id')) : []),
    ...(hidden > 0
      ? [
          `Addresses of people are hidden (${hidden} of ${people.length} assignees): link their accounts of Jira in the directory, or let them show their address in their Atlassian profile`,
        ]
      : []),
  ];
}

async function historyMissing(requests: Requests, api: string, id: string): Promise<string[]> {
  const asked = { issueIdsOrKeys: [id], fieldIds: ['status'], maxResults: 1 };
  const { status } = await requests.post(`${api}/changelog/bulkfetch`, asked, { alsoGood: [400, 403, 404] });
  return status >= 300
    ? [`Histories cannot be read (${status}): when issues were started stays unknown. Give the token read:jira-work`]
    : [];
}

/** A search has the first comments of an issue; the others are asked for by themselves. */
async function commentsMissing(requests: Requests, api: string, id: string): Promise<string[]> {
  const { status } = await requests.get(`${api}/issue/${id}/comment`, {
    query: { maxResults: 1 },
    alsoGood: [400, 403, 404],
  });
  return status >= 300 ? [`Comments cannot be read (${status}). Give the token read:jira-work`] : [];
}

const fieldMissing = ({ fields }: JiraSite, name: unknown): string[] =>
  name === undefined || fields.storyPoints.length > 0
    ? []
    : [`The field ${name} is not seen, or holds no numbers: correct story_points_field`];

async function typesMissing(requests: Requests, { api }: JiraSite, types: readonly string[]): Promise<string[]> {
  if (types.length === 0) return [];
  const known = itemsOf((await requests.get(`${api}/issuetype`)).body).map((type) =>
    Payload.of(type, 'type').text('name'),
  );
  return types
    .filter((type) => !known.some((one) => isSame(one, type)))
    .map((type) => `The type ${type} is not seen: correct incident_types`);
}

/** Names that are neither a project nor a component. Affected services have no list that an account could read. */
async function repositoriesMissing(
  requests: Requests,
  { api, fields }: JiraSite,
  projects: readonly JiraProject[],
  { incident_types: types, service_repositories: repositories }: SourceOpening['settings'],
): Promise<string[]> {
  if (types === undefined) return [];
  const names = textsIn(repositories).map((pair) => pair.slice(0, pair.lastIndexOf('=')).trim());
  if (names.length === 0) return ['No repository is named in service_repositories: incidents count nowhere'];
  const known = projects.flatMap(({ key, name }) => [key, name]);
  for (const { id } of projects) {
    if (names.every((name) => known.some((one) => isSame(one, name)))) return [];
    const components = itemsOf((await requests.get(`${api}/project/${id}/components`)).body);
    known.push(...components.map((component) => Payload.of(component, 'component').text('name')));
  }
  const also = fields.services === undefined ? '' : ' that can be looked up, and may be an affected service';
  return names
    .filter((name) => !known.some((one) => isSame(one, name)))
    .map((name) => `${name} in service_repositories is no project and no component${also}`);
}
