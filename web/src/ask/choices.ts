import { addDays } from '../../../src/calendar.ts';
import { pageFiltersWords } from './page-filter-words.ts';
import type { Groups } from './people-answers.ts';
import { askSeveral } from './question.ts';
import { type Answer, useJson, useNames } from './use-answer.ts';
import type { ViewFilters } from './view-state.ts';

/** A choice of a filter: the value that is sent, and the name that people know it by. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The name of a value. What nothing of that kind has is shown as it was written, but for an identifier, which no one reads. */
export function nameOfChoice(choices: readonly Choice[], value: string): string {
  const name = choices.find(({ id }) => id === value)?.name;
  if (name !== undefined || !isIdentifier(value)) return name ?? value;
  return choices.length === 0 ? '…' : pageFiltersWords.unknown;
}

const isIdentifier = (value: string): boolean => value.length === 36 && value.split('-').length === 5;

interface ListedTeam {
  readonly team_id: string;
  readonly team_name: string;
}

export function useTeams(isWanted = true): readonly Choice[] {
  const { data } = useJson<readonly ListedTeam[]>(isWanted ? '/teams' : undefined);
  return (data ?? []).map(({ team_id, team_name }) => ({ id: team_id, name: team_name }));
}

/** Repositories with a pull request within a year, as far as the reader may see them. */
export function useRepositories(today: string, isWanted = true): readonly Choice[] {
  const filters = { start_date: addDays(today, -365), end_date: today };
  // A request for several metrics has no limit on its rows, so one metric is asked in the same form.
  const question = askSeveral(['pull-requests-count'], { filters, group_by: ['repository'] });
  const { data } = useNames(isWanted ? question : undefined);
  return (data?.rows ?? []).flatMap(({ repository }) =>
    typeof repository === 'string' ? { id: repository, name: repository.slice(repository.lastIndexOf('/') + 1) } : [],
  );
}

export function usePeople(isWanted = true): readonly Choice[] {
  const answer: Answer<{ readonly rows: readonly Record<string, unknown>[] }> = useNames(
    isWanted ? askSeveral(['users-count'], { filters: {}, group_by: ['merged_user_id', 'name'] }) : undefined,
  );
  return (answer.data?.rows ?? []).flatMap(({ merged_user_id, name }) =>
    typeof merged_user_id === 'string' && typeof name === 'string' ? { id: merged_user_id, name } : [],
  );
}

/** Departments that anybody on the roster belongs to, by name. */
export function useDepartments(isWanted = true): readonly Choice[] {
  const question = askSeveral(['users-count'], { filters: {}, group_by: ['department'] });
  const { data } = useNames(isWanted ? question : undefined);
  const names = (data?.rows ?? []).flatMap(({ department }) => (typeof department === 'string' ? department : []));
  return names.toSorted((a, b) => a.localeCompare(b)).map((name) => ({ id: name, name }));
}

export function useSquads(isWanted = true): readonly Choice[] {
  const { data } = useJson<Groups>(isWanted ? '/app/groups' : undefined);
  return (data?.squads ?? []).map(({ id, name }) => ({ id, name }));
}

/** What each filter of the pages can be set to. Only those that are wanted are asked for. */
export function useFilterChoices(
  today: string,
  isWanted: (filter: keyof ViewFilters) => boolean,
): Readonly<Record<keyof ViewFilters, readonly Choice[]>> {
  return {
    team: useTeams(isWanted('team')),
    repository: useRepositories(today, isWanted('repository')),
    person: usePeople(isWanted('person')),
    department: useDepartments(isWanted('department')),
    squad: useSquads(isWanted('squad')),
  };
}
