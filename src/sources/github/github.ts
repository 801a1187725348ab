import {
  goneOrForbidden,
  type HostedRepository,
  type ReadRepository,
  RepositoryUnseen,
} from '../code-host/chosen-repositories.ts';
import { CodeHostReader, type WantedRepository } from '../code-host/code-host-reader.ts';
import { type CodeHostSettings, codeHostFields, readCodeHostSettings } from '../code-host/code-host-settings.ts';
import type { ItemList } from '../paging.ts';
import {
  type OpenSource,
  type SettingField,
  type SettingValues,
  type SourceKind,
  type SourceOpening,
  SourceProblem,
  type Stream,
} from '../source.ts';
import { addressField } from '../source-settings.ts';
import type { ListedBefore } from '../streams/listed-before.ts';
import { GithubApi } from './api.ts';
import { appInstallationIn, githubAccessFields } from './app-installation.ts';
import { checkGithub } from './check.ts';
import { convertRepository, type ListedRepository, type Repository } from './convert/repository.ts';
import { PageSize, pullRequestStream } from './pull-requests/pull-request-stream.ts';
import { ObjectReader } from './read-named-object.ts';
import { type Listing, listedStream } from './streams/listed-stream.ts';
import { readDirectory } from './streams/read-directory.ts';
import { deploymentsOf, issueCommentsOf, issuesOf, releasesOf } from './streams/repository-listings.ts';
import { workflowRunStream } from './streams/workflow-run-stream.ts';
import { githubWebhook } from './webhook.ts';

const githubSettings: readonly SettingField[] = [
  addressField('address of GitHub’s API (https://HOST/api/v3 for an Enterprise Server)', 'https://api.github.com'),
  ...githubAccessFields('token that may read the repositories, and the organisation for members and teams'),
  {
    name: 'organization',
    label: 'Organisation',
    meaning:
      'whose members and teams are read, and whose repositories where none are named (the owners of the repositories when unset)',
    type: 'text',
    isAccess: true,
  },
  {
    name: 'repositories',
    label: 'Repositories',
    meaning:
      'which are read, each owner/name (all that the token or the app sees when unset), without forks and archived ones',
    type: 'list',
    isPicked: true,
  },
  ...codeHostFields,
];

const readGithubSettings = (values: SettingValues): CodeHostSettings =>
  readCodeHostSettings(values, {
    owner: 'organization',
    repositories: 'repositories',
    isName: (name) => /^[\w.-]+\/[\w.-]+$/.test(name),
    wrong: ['no name of a repository', 'Give each as owner/name: --set repositories=acme/web,acme/api'],
  });

/** An account of GitHub, cloud or Enterprise Server. */
function openGithub(opening: SourceOpening): OpenSource {
  const { requests, memory } = opening;
  const api = new GithubApi(requests);
  const settings = readGithubSettings(opening.settings);
  const installation = appInstallationIn(opening.settings);
  const pageSize = new PageSize(memory);

  /** Pull requests of all repositories come before the runs of any: everybody asks for them first. */
  function* streamsOf(repositories: readonly Repository[], before: ListedBefore<Repository>): Iterable<Stream> {
    for (const repository of repositories) yield pullRequestStream(api, repository, pageSize);
    const listings: readonly ((repository: Repository) => Listing)[] = [
      (repository) => deploymentsOf(repository, api),
      releasesOf,
      issuesOf,
      issueCommentsOf,
    ];
    for (const listing of listings) {
      for (const repository of repositories) yield listedStream(api, repository, listing(repository), before);
    }
    for (const repository of repositories) yield workflowRunStream(api, repository, before);
  }

  const reader = new CodeHostReader<HostedRepository>(
    {
      label: 'GitHub',
      accounts: 'github',
      settings,
      words: { setting: 'repositories', one: 'repository' },
      showMembers: installation
        ? 'Give the app the permission Organization > Members, read-only, and accept it on the page of the installation.'
        : 'Give it the scope read:org (a fine-grained token: Members, read).',
      listAll: () => (installation ? listInstalled(api, settings.owner) : listRepositories(api, settings.owner)),
      readRepository: (name) => readRepository(api, name),
      readDirectory: (organization) => readDirectory(api, organization),
      ownerAt: async (organization) => organization,
      streamsOf,
      readObject: (repository: WantedRepository<HostedRepository>, object) =>
        new ObjectReader(api, repository).read(object),
    },
    opening,
  );
  return {
    check: () => checkGithub(api, reader, installation),
    choices: () => reader.choices(),
    streams: () => reader.streams(),
    reread: (object) => reader.reread(object),
  };
}

export const github: SourceKind = {
  kind: 'github',
  label: 'GitHub',
  meaning:
    'Pull requests, issues, releases, workflow runs, deployments, members and teams of GitHub, cloud or Enterprise Server.',
  accounts: 'github',
  isCodeHost: true,
  settings: githubSettings,
  webhook: githubWebhook,
  tokenIssuer: appInstallationIn,
  open: openGithub,
};

/** GitHub leads from an old name to the new one. */
async function readRepository(api: GithubApi, name: string): Promise<ReadRepository<ListedRepository>> {
  const { status, body, at } = await api.get(`/repos/${name}`, { alsoGood: [404, 451] });
  if (status === 404) throw goneOrForbidden(name, 'repositories');
  if (status === 451) throw blocked(name);
  return { repository: convertRepository(body), at };
}

const blocked = (name: string): RepositoryUnseen =>
  new RepositoryUnseen(`${name} is blocked for legal reasons`, 'Take it out of the setting repositories.');

/** Of the organisation, where one is named; else all that the token's account sees. */
async function listRepositories(api: GithubApi, organization: string | undefined): Promise<ListedRepositories> {
  if (organization) {
    const ofOrganization = await api.list(`/orgs/${organization}/repos`, { query: { type: 'all' }, alsoGood: [404] });
    if (ofOrganization) return listed(ofOrganization);
  }
  try {
    return listed(await api.list('/user/repos'), organization);
  } catch (error) {
    if (!(error instanceof SourceProblem) || error.mayPass) throw error;
    // The token of an installation that was made elsewhere has no account.
    return listInstalled(api, organization).catch(() => Promise.reject(error));
  }
}

/** Those that the app is installed for. */
async function listInstalled(api: GithubApi, organization: string | undefined): Promise<ListedRepositories> {
  return listed(await api.list('/installation/repositories', { field: 'repositories' }), organization);
}

interface ListedRepositories {
  readonly repositories: readonly ListedRepository[];
  readonly at: number;
}

function listed({ items, at }: ItemList = { items: [], at: 0 }, owner?: string): ListedRepositories {
  const repositories = items.map(convertRepository);
  const isOwned = ({ name }: ListedRepository) => name.toLowerCase().startsWith(`${owner?.toLowerCase()}/`);
  return { repositories: owner === undefined ? repositories : repositories.filter(isOwned), at };
}
