import { GraphqlMissing } from '../host-port.ts';
import { Payload } from '../payload.ts';
import type { Check, SourceProblem } from '../source.ts';
import type { GithubApi } from './api.ts';
import { type ChosenRepositories, chooseRepositories } from './repositories.ts';
import type { GithubSettings } from './settings.ts';
import { nothingSeen } from './streams/repositories-stream.ts';

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
  settings: GithubSettings,
  organizationsOf: (chosen: ChosenRepositories) => readonly string[],
  now: () => number = Date.now,
): Promise<Check> {
  // The token of an app has no account, and is refused here.
  const user = await api.get('/user', { alsoGood: [403, 404] });
  const chosen = await chooseRepositories(api, settings);
  const { repositories, unreadable } = chosen;
  const wanted = repositories.length + unreadable.length;
  const account = user.status >= 300 ? null : Payload.of(user.body, 'account').text('login');
  const missing = [
    ...scopesMissing(user.headers['x-oauth-scopes']),
    ...unreadable.map(({ problem }) => asSentences(problem)),
    ...(wanted === 0 ? [asSentences(nothingSeen())] : []),
    ...(repositories[0] ? await permissionsMissing(api, repositories[0].name) : []),
    ...(await organizationsMissing(api, organizationsOf(chosen))),
    ...(await graphqlMissing(api)),
  ];
  return {
    ...(account && { account }),
    sees: [settings.repositories ? `${repositories.length} of ${wanted} repositories` : counted(wanted)],
    missing,
    clockDifferenceSeconds: user.at - Math.floor(now() / 1_000),
  };
}

const asSentences = ({ message, toDo }: SourceProblem): string => `${message}. ${toDo}`;

const counted = (repositories: number): string =>
  `${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`;

/** Only a classic token says its scopes. */
function scopesMissing(said: string | undefined): string[] {
  if (said === undefined) return [];
  const granted = new Set(said.split(',').map((scope) => scope.trim()));
  return scopes
    .filter(([granting]) => !granting.some((scope) => granted.has(scope)))
    .map(([[scope], consequence]) => `${scope} is missing: ${consequence}. Give the token this scope`);
}

async function permissionsMissing(api: GithubApi, repository: string): Promise<string[]> {
  const missing: string[] = [];
  for (const [path, permission] of Object.entries(permissions)) {
    const { status } = await api.get(`/repos/${repository}/${path}`, {
      query: { per_page: 1 },
      alsoGood: [403, 404, 410],
    });
    if (status === 403)
      missing.push(`${permission} of ${repository} cannot be read: give the token ${permission}, read`);
  }
  return missing;
}

async function organizationsMissing(api: GithubApi, organizations: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const organization of organizations) {
    const { status } = await api.get(`/orgs/${organization}/teams`, { query: { per_page: 1 }, alsoGood: [403, 404] });
    if (status >= 300) {
      missing.push(`Members and teams of ${organization} cannot be read: give the token read:org, or Members, read`);
    }
  }
  return missing;
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
