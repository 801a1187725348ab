import { nameOfChoice, useFilterChoices } from '../ask/choices.ts';
import { pageFilters } from '../ask/page-filters.ts';
import { changeView, type View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';

/** Sets one filter of the page; false where the address has no room for it. */
export const setFilter = ({ state }: View, filter: keyof ViewFilters, values: readonly string[]): boolean =>
  changeView({ filters: { ...state.filters, [filter]: values } });

/** What a filter is set to, in words: `All teams`, `Checkout`, `3 teams`. */
export function useFilterLabel(view: View, filter: keyof ViewFilters): string {
  const chosen = view.state.filters[filter];
  const choices = useFilterChoices(view.today, (name) => name === filter && chosen.length === 1)[filter];
  const { all, many } = pageFilters[filter];
  const [first = ''] = chosen;
  return chosen.length === 0 ? all : chosen.length === 1 ? nameOfChoice(choices, first) : `${chosen.length} ${many}`;
}
