import type { HostedRepository } from '../code-host/chosen-repositories.ts';
import type { CodeHostReader } from '../code-host/code-host-reader.ts';
import { GraphqlMissing } from '../host-port.ts';
import { Payload } from '../payload.ts';
import type { Check } from '../source.ts';
import type { GithubApi } from './api.ts';
import type { AppInstallation } from './app-installation.ts';

/** The paths that a repository's streams ask for, and the permission that a fine-grained token needs for each. */
const permissions = {
  pulls: 'Pull requests',
  issues: 'Issues',
  releases: 'Contents',
  deployments: 'Deployments',
  'actions/runs': 'Actions',
} as const;

/** Scopes of a classic token, and what stays unknown without them. */
const scopes: readonly (readonly [granting: readonly string[], consequence: string])[] = [
  [['repo'], 'private repositories stay unknown'],
  [['read:org', 'write:org', 'admin:org'], 'members and teams stay unknown'],
];

/** The token is tried on everything that a sync would ask, each once. */
export async function checkGithub(
  api: GithubApi,
  reader: CodeHostReader<HostedRepository>,
  installation?: AppInstallation,
  now: () => number = Date.now,
): Promise<Check> {
  const holder = installation ? await askingApp(api, installation) : await askingAccount(api);
  const chosen = await reader.choose();
  const { sees, missing } = reader.seenOf(chosen);
  const [first] = chosen.repositories;
  const tried = first && !installation ? await permissionsTried(api, first.name) : nothingTried;
  const owners = await ownersTried(api, reader.ownersOf(chosen), holder);
  const graphql = await graphqlMissing(api);
  return {
    ...(holder.account && { account: holder.account }),
    sees,
    reads: [...holder.reads, ...tried.reads, ...owners.reads],
    missing: [...holder.missing, ...missing, ...tried.missing, ...owners.missing, ...graphql],
    clockDifferenceSeconds: holder.at - Math.floor(now() / 1_000),
  };
}

/** The account or app that asks, and the rights that it lacks as far as GitHub says so by itself. */
interface TokenHolder {
  readonly account: string | null;
  readonly reads: readonly string[];
  readonly missing: readonly string[];
  readonly at: number;
  /** Of an app: where it is installed. What it may see there is in `missing`. */
  readonly installedAt?: string;
}

async function askingAccount(api: GithubApi): Promise<TokenHolder> {
  // The token of an installation has no account, and is refused here.
  const { status, body, headers, at } = await api.get('/user', { alsoGood: [403, 404] });
  const account = status >= 300 ? null : Payload.of(body, 'account').text('login');
  return { account, reads: [], missing: scopesMissing(headers['x-oauth-scopes']), at };
}

/** Its rights are known by name: nothing has to be tried out. */
async function askingApp(api: GithubApi, installation: AppInstallation): Promise<TokenHolder> {
  // Asked for its time as well, by which the next request is signed: ours may be off.
  const { at } = await api.get('/installation/repositories', { query: { per_page: 1 } });
  const { body } = await installation.describe(api, at);
  return { ...installationRights(body), at };
}

/** Only a classic token says its scopes. */
function scopesMissing(said: string | undefined): string[] {
  if (said === undefined) return [];
  const granted = new Set(said.split(',').map((scope) => scope.trim()));
  return scopes
    .filter(([granting]) => !granting.some((scope) => granted.has(scope)))
    .map(([[scope], consequence]) => `${scope} is missing: ${consequence}. Give the token this scope`);
}

/** The rights that were tried one by one: those that are there by name, and what to do about the others. */
interface Tried {
  readonly reads: string[];
  readonly missing: string[];
}

const nothingTried: Tried = { reads: [], missing: [] };

async function permissionsTried(api: GithubApi, repository: string): Promise<Tried> {
  const [reads, missing]: [string[], string[]] = [[], []];
  for (const [path, permission] of Object.entries(permissions)) {
    const { status } = await api.get(`/repos/${repository}/${path}`, {
      query: { per_page: 1 },
      alsoGood: [403, 404, 410],
    });
    if (status < 300) reads.push(permission);
    if (status === 403)
      missing.push(`${permission} of ${repository} cannot be read: give the token ${permission}, read`);
  }
  return { reads, missing };
}

async function ownersTried(
  api: GithubApi,
  organizations: readonly string[],
  { installedAt }: Pick<TokenHolder, 'installedAt'>,
): Promise<Tried> {
  const toDo = installedAt === undefined ? 'give the token read:org, or Members, read' : 'install the app there';
  const [reads, missing]: [string[], string[]] = [[], []];
  for (const organization of organizations) {
    if (organization.toLowerCase() === installedAt?.toLowerCase()) continue;
    const { status } = await api.get(`/orgs/${organization}/teams`, { query: { per_page: 1 }, alsoGood: [403, 404] });
    if (status >= 300) {
      missing.push(`Members and teams of ${organization} cannot be read: ${toDo}`);
    } else reads.push(`Members and teams of ${organization}`);
  }
  return { reads, missing };
}

async function graphqlMissing(api: GithubApi): Promise<string[]> {
  try {
    await api.requests.graphql('query { rateLimit { limit remaining resetAt } }', {});
    return [];
  } catch (error) {
    if (!(error instanceof GraphqlMissing)) throw error;
    return ['GraphQL is missing: everything is read by REST, which takes more requests'];
  }
}

/** A permission of a GitHub App as GitHub abbreviates it, and as its pages call it. */
type AppPermission = readonly [key: string, name: string];

/** What a sync reads with each is missing without it. */
const repositoryPermissions: readonly AppPermission[] = [
  ['metadata', 'Metadata'],
  ['pull_requests', 'Pull requests'],
  ['issues', 'Issues'],
  ['contents', 'Contents'],
  ['actions', 'Actions'],
  ['deployments', 'Deployments'],
];
const organizationPermissions: readonly AppPermission[] = [['members', 'Members']];

/** Who has installed which app, and the rights that it lacks. */
function installationRights(answer: unknown): Omit<TokenHolder, 'at'> {
  const installation = Payload.of(answer, 'installation');
  const account = installation.object('account');
  const granted = installation.object('permissions');
  const lacks = ([key]: AppPermission): boolean => granted.textOrNull(key) === null;
  const has = (permission: AppPermission): boolean => !lacks(permission);
  // An enterprise has members as well.
  const isOrganization = account.textOrNull('type') !== 'User';
  return {
    account: `${account.text('login')}, by the app ${installation.text('app_slug')}`,
    installedAt: account.text('login'),
    reads: [...repositoryPermissions, ...(isOrganization ? organizationPermissions : [])]
      .filter(has)
      .map(([, name]) => name),
    missing: [
      ...repositoryPermissions.filter(lacks).map(([, name]) => missingRight('Repository', name)),
      ...(isOrganization ? organizationPermissions.filter(lacks) : []).map(([, name]) =>
        missingRight('Organization', name),
      ),
    ],
  };
}

/** An owner has to accept each permission that is added to an app after it was installed. */
const missingRight = (whose: 'Repository' | 'Organization', name: string): string =>
  `${name} cannot be read: give the app the permission ${whose} > ${name}, read-only, and accept it on the page of the installation`;
