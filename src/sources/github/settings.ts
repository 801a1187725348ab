import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';

export const githubSettings: readonly SettingField[] = [
  {
    name: 'base_url',
    label: 'Address',
    meaning: 'The address of GitHub’s interface. For an Enterprise Server: https://HOST/api/v3.',
    type: 'address',
    usual: 'https://api.github.com',
  },
  {
    name: 'token',
    label: 'Token',
    meaning: 'A token that may read the repositories, and the organisation for members and teams.',
    type: 'text',
    isSecret: true,
    isRequired: true,
  },
  {
    name: 'organization',
    label: 'Organisation',
    meaning: 'Whose members and teams are read. Unset: the owners of the repositories.',
    type: 'text',
  },
  {
    name: 'repositories',
    label: 'Repositories',
    meaning: 'Which are read, each owner/name. Unset: all that the token sees, forks and archived ones left out.',
    type: 'list',
  },
  {
    name: 'since',
    label: 'Since',
    meaning: 'Nothing that last changed before this day is read. Unset: the whole history.',
    type: 'date',
  },
  {
    name: 'keep_free',
    label: 'Share of the limit to keep free',
    meaning: 'Percent of the hourly limit of the token that is left to your other tools.',
    type: 'integer',
    usual: '20',
  },
  {
    name: 'offboard_leavers',
    label: 'Offboard leavers',
    meaning:
      'Whether people who leave the organisation are offboarded. Unset: they are listed, and nothing else happens.',
    type: 'boolean',
    usual: 'false',
  },
  {
    name: 'allow_hosts',
    label: 'Other hosts',
    meaning: 'Hosts beside that of the address which answers may lead to. They never get the token.',
    type: 'list',
  },
  {
    name: 'webhook_secret',
    label: 'Webhook secret',
    meaning: 'What GitHub signs its webhooks with. Unset: one is made.',
    type: 'text',
    isSecret: true,
  },
];

export interface GithubSettings {
  readonly organization?: string;
  /** Names as they were given; absent for all that the token sees. */
  readonly repositories?: readonly string[];
  /** Seconds since 1970. */
  readonly since?: number;
}

export function readGithubSettings({ organization, repositories, since }: SettingValues): GithubSettings {
  const names = Array.isArray(repositories) ? repositories.map((name: string) => name.trim()) : [];
  const wrong = names.find((name) => !/^[\w.-]+\/[\w.-]+$/.test(name));
  if (wrong !== undefined) {
    throw new SourceProblem(
      `'${wrong}' is no name of a repository`,
      'Give each as owner/name: --set repositories=acme/web,acme/api',
    );
  }
  return {
    ...(typeof organization === 'string' && organization !== '' && { organization }),
    ...(names.length > 0 && { repositories: names }),
    ...(typeof since === 'string' && { since: Date.parse(`${since}T00:00:00Z`) / 1_000 }),
  };
}
