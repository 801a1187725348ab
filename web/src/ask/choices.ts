import { addDays } from '../../../src/calendar.ts';
import { askSeveral } from './question.ts';
import { type Answer, useAnswer, useJson } from './use-answer.ts';

/** A choice of a filter: the value that is sent, and the name that people know it by. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

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
  const { data } = useAnswer(isWanted ? question : undefined);
  return (data?.rows ?? []).flatMap(({ repository }) =>
    typeof repository === 'string' ? { id: repository, name: repository.slice(repository.lastIndexOf('/') + 1) } : [],
  );
}

export function usePeople(isWanted = true): readonly Choice[] {
  const answer: Answer<{ readonly rows: readonly Record<string, unknown>[] }> = useAnswer(
    isWanted ? askSeveral(['users-count'], { filters: {}, group_by: ['merged_user_id', 'name'] }) : undefined,
  );
  return (answer.data?.rows ?? []).flatMap(({ merged_user_id, name }) =>
    typeof merged_user_id === 'string' && typeof name === 'string' ? { id: merged_user_id, name } : [],
  );
}
