import type { HostedRepository } from '../code-host/chosen-repositories.ts';
import type { CodeHostReader } from '../code-host/code-host-reader.ts';
import { GraphqlMissing } from '../host-port.ts';
import { Payload } from '../payload.ts';
import type { Check } from '../source.ts';
import type { GithubApi } from './api.ts';

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
  now: () => number = Date.now,
): Promise<Check> {
  // The token of an app has no account, and is refused here.
  const user = await api.get('/user', { alsoGood: [403, 404] });
  const chosen = await reader.choose();
  const account = user.status >= 300 ? null : Payload.of(user.body, 'account').text('login');
  const { sees, missing } = reader.seenOf(chosen);
  const [first] = chosen.repositories;
  return {
    ...(account && { account }),
    sees,
    missing: [
      ...scopesMissing(user.headers['x-oauth-scopes']),
      ...missing,
      ...(first ? await permissionsMissing(api, first.name) : []),
      ...(await organizationsMissing(api, reader.ownersOf(chosen))),
      ...(await graphqlMissing(api)),
    ],
    clockDifferenceSeconds: user.at - Math.floor(now() / 1_000),
  };
}

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
