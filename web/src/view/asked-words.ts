import { type Choice, usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import type { FilterValues, Question } from '../ask/question.ts';
import { useView } from '../ask/use-view.ts';
import { shownWindow } from './format.ts';

/** The days and filters of a request, which may differ from those above the page. */
export function useAskedWords({ body: { filters } }: Question, isWanted: boolean): readonly string[] {
  const { today, window } = useView();
  const { start_date, end_date, team = [], repositories = [], member = [] } = filters;
  const isNamed = (values: FilterValues): boolean => isWanted && values.length > 0;
  const [teams, people] = [useTeams(isNamed(team)), usePeople(isNamed(member))];
  const known = useRepositories(today, isNamed(repositories));
  const days = { start: String(start_date ?? window.start), end: String(end_date ?? window.end) };
  return [shownWindow(days), namesOf(team, teams), namesOf(repositories, known), namesOf(member, people)].filter(
    (words) => words !== '',
  );
}

const namesOf = (values: FilterValues, choices: readonly Choice[]): string =>
  [values]
    .flat()
    .map((value) => choices.find(({ id }) => id === value)?.name ?? String(value))
    .join(', ');
