import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { allowHostsField, keepFreeField } from '../source-settings.ts';

export const githubCopilotSettings: readonly SettingField[] = [
  {
    name: 'base_url',
    label: 'Address',
    meaning: 'address of GitHub’s interface; with data residency https://api.NAME.ghe.com',
    type: 'address',
    usual: 'https://api.github.com',
  },
  {
    name: 'token',
    label: 'Token',
    meaning: 'token of an owner of the organisation that may read its Copilot metrics and seats',
    type: 'text',
    isSecret: true,
    isRequired: true,
  },
  {
    name: 'organization',
    label: 'Organisation',
    meaning: 'whose use of Copilot is read; the owners of the repositories when unset',
    type: 'text',
  },
  {
    name: 'repositories',
    label: 'Repositories',
    meaning: 'each owner/name, for their owners; only needed where no organisation is set',
    type: 'list',
  },
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing before this day is read; all that GitHub still has when unset, up to a year',
    type: 'date',
  },
  keepFreeField,
  allowHostsField,
];

interface GithubCopilotSettings {
  readonly organizations: readonly string[];
  /** A day: 2026-01-31. */
  readonly since?: string;
}

export function readGithubCopilotSettings(values: SettingValues): GithubCopilotSettings {
  const { organization, repositories, since } = values;
  const named =
    typeof organization === 'string' && organization.trim() !== '' ? [organization.trim()] : ownersOf(repositories);
  if (named.length === 0) {
    throw new SourceProblem('organization is missing', 'Name the one that pays for Copilot: --set organization=acme');
  }
  const wrong = named.find((name) => !/^[\w.-]+$/.test(name));
  if (wrong !== undefined) {
    throw new SourceProblem(`'${wrong}' is no name of an organisation`, 'Give its login: --set organization=acme');
  }
  return { organizations: named, ...(typeof since === 'string' && { since }) };
}

/** Each owner once, in the order in which they are named. */
function ownersOf(repositories: SettingValues[string] | undefined): readonly string[] {
  const names = Array.isArray(repositories) ? repositories : [];
  const owners = names.map((name: string) => name.trim().split('/')[0] ?? '').filter((owner) => owner !== '');
  return [...new Map(owners.map((owner) => [owner.toLowerCase(), owner])).values()];
}
