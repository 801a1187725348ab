import { useState } from 'react';
import { nameOfChoice, useFilterChoices } from '../ask/choices.ts';
import { pageFilters } from '../ask/page-filters.ts';
import { changeView, type View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { ChoiceList } from './choice-list.tsx';
import { MenuItem } from './menu.tsx';

interface FilterChoicesProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
}

/** Sets one filter of the page; false where the address has no room for it. */
export const setFilter = ({ state }: View, filter: keyof ViewFilters, values: readonly string[]): boolean =>
  changeView({ filters: { ...state.filters, [filter]: values } });

/** The names of what a filter can be set to. They are asked for when they are shown. */
export function FilterChoices({ view, filter }: FilterChoicesProps) {
  const [isFull, setFull] = useState(false);
  const choices = useFilterChoices(view.today, (name) => name === filter)[filter];
  const { all, many } = pageFilters[filter];
  const chosen = view.state.filters[filter];
  const set = (values: readonly string[]) => setFull(!setFilter(view, filter, values));
  return (
    <ChoiceList
      many={many}
      choices={choices}
      chosen={chosen}
      onPick={(id) => set(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
    >
      {isFull && (
        <p className="menu-part small bad">The address of the page has no room for more. Choose a team instead.</p>
      )}
      {chosen.length > 0 && <MenuItem onPick={() => set([])}>{all}</MenuItem>}
    </ChoiceList>
  );
}

/** What a filter is set to, in words: `All teams`, `Checkout`, `3 teams`. */
export function useFilterLabel(view: View, filter: keyof ViewFilters): string {
  const chosen = view.state.filters[filter];
  const choices = useFilterChoices(view.today, (name) => name === filter && chosen.length === 1)[filter];
  const { all, many } = pageFilters[filter];
  const [first = ''] = chosen;
  return chosen.length === 0 ? all : chosen.length === 1 ? nameOfChoice(choices, first) : `${chosen.length} ${many}`;
}
