import { CodeHostReader } from '../code-host/code-host-reader.ts';
import { type CodeHostSettings, codeHostFields, readCodeHostSettings } from '../code-host/code-host-settings.ts';
import { Payload } from '../payload.ts';
import type { OpenSource, SettingField, SettingValues, SourceKind, SourceOpening, Stream } from '../source.ts';
import type { ListedBefore } from '../streams/listed-before.ts';
import { readThing, thingsStream } from '../streams/listed-things.ts';
import { isPathName } from '../webhooks.ts';
import { checkGitlab } from './check-gitlab.ts';
import type { ListedProject, Project } from './convert/project.ts';
import { GitlabApi, unseen } from './gitlab-api.ts';
import { gitlabWebhook } from './gitlab-webhook.ts';
import { listProjects, readDirectory, readProject } from './groups-and-projects.ts';
import { listsOf } from './project-lists.ts';

const gitlabSettings: readonly SettingField[] = [
  {
    name: 'base_url',
    label: 'Address',
    meaning: 'address of GitLab, without /api/v4 (https://HOST for your own server)',
    type: 'address',
    usual: 'https://gitlab.com',
  },
  {
    name: 'token',
    label: 'Token',
    meaning: 'personal, group or project access token with the scope read_api and the role Reporter',
    type: 'text',
    isSecret: true,
    isRequired: true,
  },
  {
    name: 'group',
    label: 'Group',
    meaning:
      'whose members and subgroups are read, and whose projects where none are named, by its path (the top groups of the projects when unset)',
    type: 'text',
    isAccess: true,
  },
  {
    name: 'projects',
    label: 'Projects',
    meaning:
      'which are read, each by path or number (all of the group, or of which the token is a member, when unset), without forks and archived ones',
    type: 'list',
    isPicked: true,
  },
  ...codeHostFields,
];

const readGitlabSettings = (values: SettingValues): CodeHostSettings =>
  readCodeHostSettings(values, {
    owner: 'group',
    repositories: 'projects',
    isName: (name) => name.split('/').every(isPathName),
    wrong: [
      'no path of a project',
      'Give each as it stands in its address, or its number: --set projects=acme/shop/web,1234',
    ],
  });

/** GitLab, in the cloud or on a server of one's own. */
function openGitlab(opening: SourceOpening): OpenSource {
  const api = new GitlabApi(opening.requests);
  const settings = readGitlabSettings(opening.settings);

  /** Merge requests of all projects come before the pipelines of any: everybody asks for them first. */
  function* streamsOf(projects: readonly Project[], before: ListedBefore<Project>): Iterable<Stream> {
    const all = projects.map((project) => listsOf(api, project).map((list) => thingsStream(project, list, before)));
    const most = Math.max(0, ...all.map((streams) => streams.length));
    for (let i = 0; i < most; i += 1) yield* all.flatMap((streams) => streams[i] ?? []);
  }

  const reader = new CodeHostReader<ListedProject>(
    {
      label: 'GitLab',
      accounts: 'gitlab',
      settings,
      words: { setting: 'projects', one: 'project' },
      showMembers: 'Make its account a member of the group with the role Reporter.',
      listAll: () => listProjects(api, settings.owner),
      readRepository: (name) => readProject(api, name),
      readDirectory: (group, projects) => readDirectory(api, group, projects),
      // A webhook of a group tells of that group, and of those below it.
      async ownerAt(groupNumber) {
        const { status, body } = await api.get(`/groups/${groupNumber}`, { alsoGood: unseen });
        const path = status < 300 ? Payload.of(body, 'group').text('full_path') : undefined;
        return path === undefined ? undefined : (settings.owner ?? path.split('/')[0]);
      },
      streamsOf,
      async readObject(project, { kind, reference }) {
        const list = listsOf(api, project).find((one) => one.kind === kind);
        return list ? readThing(list, String(reference)) : { records: [], count: 0, at: 0 };
      },
    },
    opening,
  );
  return {
    check: () => checkGitlab(api, reader),
    choices: () => reader.choices(),
    streams: () => reader.streams(),
    reread: (object) => reader.reread(object),
  };
}

export const gitlab: SourceKind = {
  kind: 'gitlab',
  label: 'GitLab',
  meaning:
    'Merge requests, issues, pipelines, deployments, releases, members and groups of GitLab, in the cloud or on a server of your own.',
  accounts: 'gitlab',
  isCodeHost: true,
  settings: gitlabSettings,
  graphqlPath: '/api/graphql',
  hasEndpointLimits: true,
  authorization: ({ token }) => ({ 'private-token': String(token) }),
  webhook: gitlabWebhook,
  open: openGitlab,
};
