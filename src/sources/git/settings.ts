import { secondsOfDay } from '../../calendar.ts';
import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';

export const gitSettings: readonly SettingField[] = [
  {
    name: 'path',
    label: 'Folder of the clone',
    meaning:
      'clone on the machine that Plumb runs on, with or without a working tree (Plumb reads it and never fetches)',
    type: 'text',
    isRequired: true,
  },
  {
    name: 'repository',
    label: 'Repository',
    meaning: 'its name on the code host, owner/name (the same repository read from its host has the same records)',
    type: 'text',
    isRequired: true,
  },
  {
    name: 'branch',
    label: 'Branch',
    meaning: 'branch that pull requests are merged into (the default branch of the clone when unset)',
    type: 'text',
  },
  {
    name: 'host',
    label: 'Code host',
    meaning: 'where the repository is: the column source of its records',
    type: 'text',
    usual: 'github',
  },
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing that was merged or tagged before this day is read (the whole history when unset)',
    type: 'date',
  },
];

export interface GitSettings {
  readonly path: string;
  readonly repository: string;
  readonly host: string;
  readonly branch?: string;
  /** Seconds since 1970. */
  readonly since?: number;
}

export function readGitSettings({ path, repository, branch, host = 'github', since }: SettingValues): GitSettings {
  if (typeof path !== 'string' || path === '') {
    throw new SourceProblem('path is missing', 'Give the folder of a clone: --set path=/srv/clones/web.git');
  }
  // An owner may have groups below it, as on GitLab: acme/tools/web.
  if (typeof repository !== 'string' || !/^[^\s/#@:]+(?:\/[^\s/#@:]+)+$/.test(repository)) {
    throw new SourceProblem(
      'repository must be owner/name',
      'Give its name on the code host: --set repository=acme/web',
    );
  }
  if (typeof host !== 'string' || !/^[a-z][a-z\d-]*$/.test(host)) {
    throw new SourceProblem('host must be a name such as github', 'Give the code host: --set host=github');
  }
  return {
    path,
    repository,
    host,
    ...(typeof branch === 'string' && branch !== '' && { branch }),
    ...(typeof since === 'string' && { since: secondsOfDay(since) }),
  };
}
