import { useState } from 'react';
import { useFilterChoices } from '../ask/choices.ts';
import { pageFilters } from '../ask/page-filters.ts';
import type { View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { ChoiceList } from './choice-list.tsx';
import { setFilter } from './chosen-filter.ts';
import { filterChoicesWords } from './filter-words.ts';
import { MenuItem } from './menu.tsx';

interface FilterChoicesProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
}

/** The names of what a filter can be set to. They are asked for when they are shown. */
export default function FilterChoices({ view, filter }: FilterChoicesProps) {
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
      {isFull && <p className="menu-part small bad">{filterChoicesWords.addressPageHasNo}</p>}
      {chosen.length > 0 && <MenuItem onPick={() => set([])}>{all}</MenuItem>}
    </ChoiceList>
  );
}
