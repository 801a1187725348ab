import { nameOfChoice, useFilterChoices } from '../ask/choices.ts';
import { pageFilterNames, pageFilters } from '../ask/page-filters.ts';
import type { Question } from '../ask/question.ts';
import { useView } from '../ask/use-view.ts';
import { shownWindow } from './format.ts';

/** The days and filters of a request, which may differ from those above the page. */
export function useAskedWords({ body: { filters } }: Question, isWanted: boolean): readonly string[] {
  const { today, window } = useView();
  const { start_date, end_date } = filters;
  const set = pageFilterNames.flatMap((name) => {
    const values = filters[pageFilters[name].request] ?? [];
    return values.length > 0 ? { name, values: [values].flat().map(String) } : [];
  });
  const choices = useFilterChoices(today, (name) => isWanted && set.some((one) => one.name === name));
  const days = { start: String(start_date ?? window.start), end: String(end_date ?? window.end) };
  return [
    shownWindow(days),
    ...set.map(({ name, values }) => values.map((value) => nameOfChoice(choices[name], value)).join(', ')),
  ];
}
