import { secondsOfDay } from '../../calendar.ts';
import { incidentLabelsField } from '../issue-incidents.ts';
import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { allowHostsField, keepFreeField } from '../source-settings.ts';

export const githubSettings: readonly SettingField[] = [
  {
    name: 'base_url',
    label: 'Address',
    meaning: 'address of GitHub’s interface; of an Enterprise Server https://HOST/api/v3',
    type: 'address',
    usual: 'https://api.github.com',
  },
  {
    name: 'token',
    label: 'Token',
    meaning: 'token that may read the repositories, and the organisation for members and teams',
    type: 'text',
    isSecret: true,
    isRequired: true,
  },
  {
    name: 'organization',
    label: 'Organisation',
    meaning:
      'whose members and teams are read, and whose repositories where none are named; the owners of the repositories when unset',
    type: 'text',
  },
  {
    name: 'repositories',
    label: 'Repositories',
    meaning: 'which are read, each owner/name; all that the token sees when unset, without forks and archived ones',
    type: 'list',
  },
  incidentLabelsField,
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing that last changed before this day is read; the whole history when unset',
    type: 'date',
  },
  {
    name: 'offboard_leavers',
    label: 'Offboard leavers',
    meaning: 'whether people who leave the organisation are offboarded; else they are only listed',
    type: 'boolean',
    usual: 'false',
  },
  keepFreeField,
  allowHostsField,
];

export interface GithubSettings {
  readonly organization?: string;
  /** Names as they were given; absent for all that the token sees. */
  readonly repositories?: readonly string[];
  /** An issue with one of them is an incident too. */
  readonly incidentLabels?: readonly string[];
  /** Seconds since 1970. */
  readonly since?: number;
}

export function readGithubSettings({
  organization,
  repositories,
  incident_labels: labels,
  since,
}: SettingValues): GithubSettings {
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
    ...(Array.isArray(labels) && { incidentLabels: labels }),
    ...(typeof since === 'string' && { since: secondsOfDay(since) }),
  };
}
