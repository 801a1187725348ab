import { nameOfChoice, useFilterChoices } from '../ask/choices.ts';
import type { Figure } from '../ask/figure.ts';
import { pageFilterNames, pageFilters } from '../ask/page-filters.ts';
import { useView } from '../ask/use-view.ts';
import { useSession } from '../page-session.ts';
import { capitalised, shownWindow } from './format.ts';
import { printPartsWords } from './frame-words.ts';
import { useDataThrough } from './freshness.tsx';

interface PrintHeadProps {
  readonly title: string;
  /** Whether the page is about one person: then no filter for people applies. */
  readonly isOfPerson: boolean;
}

/** On paper, where no controls say it: whose page it is, which days it shows, beside which, of whom, and how new the data are. */
export function PrintHead({ title, isOfPerson }: PrintHeadProps) {
  const { organisation } = useSession();
  const { window, before, zone } = useView();
  const through = useDataThrough();
  const filters = useFiltersInWords(isOfPerson);
  const days = before ? printPartsWords.compared(shownWindow(window), shownWindow(before)) : shownWindow(window);
  return (
    <p className="print-only print-head">
      {[`${organisation.name} · ${title}`, days, ...filters, through].filter(Boolean).join(' · ')} ({zone})
    </p>
  );
}

/** The filters that narrow the page, by the names of what they let through: `Teams: Payments, Search`. */
function useFiltersInWords(isOfPerson: boolean): readonly string[] {
  const { state, today } = useView();
  const set = pageFilterNames.filter((name) => state.filters[name].length > 0 && !(isOfPerson && name === 'person'));
  const choices = useFilterChoices(today, (name) => set.includes(name));
  return set.map((name) => {
    const [ids, { one, many }] = [state.filters[name], pageFilters[name]];
    const names = ids.map((id) => nameOfChoice(choices[name], id));
    return `${capitalised(ids.length === 1 ? one : many)}: ${names.join(', ')}`;
  });
}

/** On paper, where nothing is on hover: what the figures mean. */
export const PrintDefinitions = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <p className="print-only">{figures.map(({ label, meaning }) => `${label}: ${meaning}`).join(' ')}</p>
);
