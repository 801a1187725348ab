import { addDays } from '../../../src/calendar.ts';
import { ask, askSeveral } from './question.ts';
import { type Answer, useAnswer, useJson } from './use-answer.ts';

/** Something to filter by: what is sent, and what people call it. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

interface ListedTeam {
  readonly team_id: string;
  readonly team_name: string;
}

export function useTeams(): readonly Choice[] {
  const { data } = useJson<readonly ListedTeam[]>('/teams');
  return (data ?? []).map(({ team_id, team_name }) => ({ id: team_id, name: team_name }));
}

/** Repositories with a pull request within a year, as far as the reader may see them. */
export function useRepositories(today: string): readonly Choice[] {
  const filters = { start_date: addDays(today, -365), end_date: today };
  const { data } = useAnswer(ask('pull-requests-count', { filters, group_by: ['repository'] }));
  return (data?.rows ?? []).flatMap(({ repository }) =>
    typeof repository === 'string' ? { id: repository, name: repository.slice(repository.lastIndexOf('/') + 1) } : [],
  );
}

export function usePeople(): readonly Choice[] {
  const answer: Answer<{ readonly rows: readonly Record<string, unknown>[] }> = useAnswer(
    askSeveral(['users-count'], { filters: {}, group_by: ['merged_user_id', 'name'] }),
  );
  return (answer.data?.rows ?? []).flatMap(({ merged_user_id, name }) =>
    typeof merged_user_id === 'string' && typeof name === 'string' ? { id: merged_user_id, name } : [],
  );
}
