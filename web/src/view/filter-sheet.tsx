import { ChevronRight, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { pageFilters } from '../ask/page-filters.ts';
import { changeView, type View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { noFilters } from '../ask/view-state.ts';
import { useFilterLabel } from './chosen-filter.ts';
import { FilterChoices } from './filter-menu.tsx';
import { filterSheetWords } from './filter-words.ts';
import { capitalised } from './format.ts';
import { ComparisonChoices } from './range-menu.tsx';

interface FilterSheetProps {
  readonly view: View;
  readonly filters: readonly (keyof ViewFilters)[];
  readonly hasComparison: boolean;
  readonly onClose: () => void;
}

/** Everything that the bar has no room for: over the lower end of a telephone, in the middle of a wider screen. */
export default function FilterSheet({ view, filters, hasComparison, onClose }: FilterSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState<keyof ViewFilters>();
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  const isAnySet = filters.some((name) => view.state.filters[name].length > 0);
  return (
    <dialog
      ref={dialog}
      className="filter-sheet"
      aria-label={filterSheetWords.filters}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) dialog.current?.close();
      }}
    >
      <div className="filter-sheet-body">
        <header className="row">
          <h2>{filterSheetWords.filters}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={filterSheetWords.close}
            onClick={() => dialog.current?.close()}
          >
            <X className="icon" aria-hidden="true" />
          </button>
        </header>
        {filters.map((name) => (
          <SheetFilter
            key={name}
            view={view}
            filter={name}
            isOpen={open === name}
            onOpen={() => setOpen(open === name ? undefined : name)}
          />
        ))}
        {hasComparison && (
          <fieldset className="filter-sheet-part">
            <legend className="small secondary">{filterSheetWords.compare}</legend>
            <ComparisonChoices view={view} />
          </fieldset>
        )}
        <footer className="row">
          <button
            type="button"
            className="button"
            disabled={!isAnySet}
            onClick={() => {
              const kept = Object.entries(view.state.filters).filter(([name]) => !filters.includes(name as 'team'));
              changeView({ filters: { ...noFilters, ...Object.fromEntries(kept) } });
            }}
          >
            {filterSheetWords.clearFilters}
          </button>
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            {filterSheetWords.showPage}
          </button>
        </footer>
      </div>
    </dialog>
  );
}

interface SheetFilterProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** One filter: what it is set to, and its choices once it is opened. */
function SheetFilter({ view, filter, isOpen, onOpen }: SheetFilterProps) {
  const label = useFilterLabel(view, filter);
  const isSet = view.state.filters[filter].length > 0;
  return (
    <section className="filter-sheet-part">
      <button type="button" className="filter-sheet-name" aria-expanded={isOpen} onClick={onOpen}>
        <span>{capitalised(pageFilters[filter].one)}</span>
        <span className={isSet ? 'filter-sheet-set' : 'secondary'}>{label}</span>
        <ChevronRight className="icon" aria-hidden="true" />
      </button>
      {isOpen && (
        <div className="filter-sheet-choices">
          <FilterChoices view={view} filter={filter} />
        </div>
      )}
    </section>
  );
}
