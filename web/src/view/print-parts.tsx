import { usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import type { Figure } from '../ask/figure.ts';
import { useView } from '../ask/use-view.ts';
import { useSession } from '../page-session.ts';
import { shownWindow } from './format.ts';
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
  const days = before ? `${shownWindow(window)}, compared with ${shownWindow(before)}` : shownWindow(window);
  return (
    <p className="print-only print-head">
      {[`${organisation.name} · ${title}`, days, ...filters, through].filter(Boolean).join(' · ')} ({zone})
    </p>
  );
}

/** The filters that narrow the page, by the names of what they let through: `Teams: Payments, Search`. */
function useFiltersInWords(isOfPerson: boolean): readonly string[] {
  const { state, today } = useView();
  const { team, repository, person } = state.filters;
  const people = isOfPerson ? [] : person;
  const filters = [
    { one: 'Team', many: 'Teams', ids: team, choices: useTeams(team.length > 0) },
    {
      one: 'Repository',
      many: 'Repositories',
      ids: repository,
      choices: useRepositories(today, repository.length > 0),
    },
    { one: 'Person', many: 'People', ids: people, choices: usePeople(people.length > 0) },
  ];
  return filters
    .filter(({ ids }) => ids.length > 0)
    .map(({ one, many, ids, choices }) => {
      const names = ids.map((id) => choices.find((choice) => choice.id === id)?.name ?? id);
      return `${ids.length === 1 ? one : many}: ${names.join(', ')}`;
    });
}

/** On paper, where nothing is on hover: what the figures mean. */
export const PrintDefinitions = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <p className="print-only">{figures.map(({ label, meaning }) => `${label}: ${meaning}`).join(' ')}</p>
);
