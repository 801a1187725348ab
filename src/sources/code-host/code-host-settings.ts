import { secondsOfDay } from '../../calendar.ts';
import { incidentLabelsField } from '../issue-incidents.ts';
import { type SettingField, type SettingValues, SourceProblem } from '../source.ts';
import { allowHostsField, keepFreeField } from '../source-settings.ts';

/** Settings that all code hosts have in the same words, after those of their own. */
export const codeHostFields: readonly SettingField[] = [
  incidentLabelsField,
  {
    name: 'since',
    label: 'Since',
    meaning: 'nothing that last changed before this day is read (the whole history when unset)',
    type: 'date',
  },
  {
    name: 'offboard_leavers',
    label: 'Exclude leavers',
    meaning: 'whether people who leave the organisation are excluded from metrics, and not only listed',
    type: 'boolean',
    usual: 'false',
  },
  keepFreeField,
  allowHostsField,
];

export interface CodeHostSettings {
  /** Whose members are read, and whose repositories where none are named. */
  readonly owner?: string;
  /** Of repositories, as they were given; absent for all that the token sees. */
  readonly names?: readonly string[];
  /** An issue with one of them is an incident too. */
  readonly incidentLabels?: readonly string[];
  /** Nothing that changed before is wanted, in seconds since 1970. */
  readonly since?: number;
}

/** How the settings of a host are called, and what a name there may be. */
interface HostNames {
  readonly owner: string;
  readonly repositories: string;
  isName(name: string): boolean;
  /** "no name of a repository", and what to give instead. */
  readonly wrong: readonly [what: string, toDo: string];
}

export function readCodeHostSettings(
  values: SettingValues,
  { owner: ownerName, repositories, isName, wrong: [what, toDo] }: HostNames,
): CodeHostSettings {
  const { [ownerName]: owner, [repositories]: given, incident_labels: incidentLabels, since } = values;
  const names = Array.isArray(given) ? given.map((name: string) => name.trim()) : [];
  const wrong = names.find((name) => !isName(name));
  if (wrong !== undefined) throw new SourceProblem(`'${wrong}' is ${what}`, toDo);
  return {
    ...(typeof owner === 'string' && owner !== '' && { owner }),
    ...(names.length > 0 && { names }),
    ...(Array.isArray(incidentLabels) && { incidentLabels }),
    ...(typeof since === 'string' && { since: secondsOfDay(since) }),
  };
}
