import {
  BookUser,
  CalendarDays,
  FolderGit2,
  ListFilter,
  type LucideIcon,
  Network,
  UserRound,
  Users,
  X,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { pageFilterNames, pageFilters } from '../ask/page-filters.ts';
import type { View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { setFilter, useFilterLabel } from './chosen-filter.ts';
import { FilterChoices } from './filter-menu.tsx';
import { capitalised } from './format.ts';
import { Freshness } from './freshness.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { CompareMenu, RangeMenu } from './range-menu.tsx';
import { ShareButton } from './share-button.tsx';
import './filter-bar.css';
import { filterBarWords } from './frame-words.ts';

const FilterSheet = lazy(() => import('./filter-sheet.tsx'));

const icons: Readonly<Record<keyof ViewFilters, LucideIcon>> = {
  team: Users,
  repository: FolderGit2,
  person: UserRound,
  department: BookUser,
  squad: Network,
};

/** Filters with a button of their own, set or not. */
const alwaysShown: readonly (keyof ViewFilters)[] = ['team', 'repository'];

interface FilterBarProps {
  readonly view: View;
  readonly hasComparison: boolean;
  /** Whether the page is about one person: then no other can be chosen. */
  readonly isOfPerson: boolean;
  /** The one thing to do on this page; sharing it otherwise. */
  readonly action: ReactNode;
}

/**
 * What the page looks at, in one line: as many buttons as there is room for. The rest is behind `Filter`, which opens
 * a sheet where the line is short.
 */
export function FilterBar({ view, hasComparison, isOfPerson, action }: FilterBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const names = pageFilterNames.filter((name) => !(isOfPerson && name === 'person'));
  const isSet = (name: keyof ViewFilters): boolean => view.state.filters[name].length > 0;
  const room = useRoom(bar, names.filter((name) => !alwaysShown.includes(name) && isSet(name)).length);
  const isWide = room === 'wide' || room === 'full';
  const own = isWide ? names.filter((name) => alwaysShown.includes(name) || isSet(name)) : (['team'] as const);
  const others = names.filter((name) => !own.includes(name as 'team'));
  return (
    <div className="filter-bar" role="toolbar" aria-label={filterBarWords.rangeAndFilters} data-room={room} ref={bar}>
      <RangeMenu view={view} isShort={room === 'narrow'} icon={<CalendarDays className="icon" aria-hidden="true" />} />
      {hasComparison && room !== 'narrow' && <CompareMenu view={view} />}
      {isWide && <span className="filter-bar-line" />}
      {own.map((name) => (
        <FilterChip key={name} view={view} filter={name} />
      ))}
      {isWide ? (
        others.length > 0 && <AddFilter view={view} filters={others} />
      ) : (
        <SheetButton view={view} filters={names} hasComparison={hasComparison} set={others.filter(isSet).length} />
      )}
      <div className="filter-bar-end">
        <Freshness isShort={room !== 'full'} />
        {isWide && (action ?? <ShareButton isShort={room !== 'full'} />)}
      </div>
    </div>
  );
}

type Room = 'full' | 'wide' | 'middle' | 'narrow';

/** From these widths on, in px, the bar has more buttons, and says more. A set filter of its own takes as much. */
const [full, wide, middle, perFilter] = [1_040, 930, 660, 110];

const roomIn = (width: number): Room =>
  width >= full ? 'full' : width >= wide ? 'wide' : width >= middle ? 'middle' : 'narrow';

/** How much room the bar has: the navigation beside it may be open or not. */
function useRoom(bar: React.RefObject<HTMLElement | null>, filters: number): Room {
  const [room, setRoom] = useState<Room>('full');
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    const measure = () => setRoom(roomIn(element.clientWidth - filters * perFilter));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [bar, filters]);
  return room;
}

interface FilterChipProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
}

/** A filter with what it is set to. Tinted while it is set, and then with a cross that clears it. */
function FilterChip({ view, filter }: FilterChipProps) {
  const label = useFilterLabel(view, filter);
  const isSet = view.state.filters[filter].length > 0;
  const Icon = icons[filter];
  return (
    <span className={`filter-chip ${isSet ? 'is-set' : ''}`}>
      <Menu
        label={
          <>
            <Icon className="icon" aria-hidden="true" />
            <span className="menu-label">{label}</span>
          </>
        }
        name={`${capitalised(pageFilters[filter].one)}: ${label}`}
        shortcut={filter}
      >
        {() => <FilterChoices view={view} filter={filter} />}
      </Menu>
      {isSet && (
        <button
          type="button"
          className="filter-clear"
          aria-label={filterBarWords.clear(pageFilters[filter].one, label)}
          title={filterBarWords.clearTitle}
          onClick={() => setFilter(view, filter, [])}
        >
          <X className="icon" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

interface AddFilterProps {
  readonly view: View;
  readonly filters: readonly (keyof ViewFilters)[];
}

/** The filters that few readers need: what to filter by, then its names in the same place. */
const AddFilter = (props: AddFilterProps) => (
  <Menu
    label={
      <>
        <ListFilter className="icon" aria-hidden="true" />
        {filterBarWords.filter}
      </>
    }
    name={filterBarWords.addFilter}
    className="button filter-add"
    shortcut="filter"
    hasMark={false}
  >
    {() => <AddFilterSteps {...props} />}
  </Menu>
);

function AddFilterSteps({ view, filters }: AddFilterProps) {
  const [picked, setPicked] = useState<keyof ViewFilters>();
  if (picked) return <FilterChoices view={view} filter={picked} />;
  return filters.map((name) => (
    <MenuItem key={name} icon={icons[name]} onPick={() => setPicked(name)}>
      {capitalised(pageFilters[name].one)}
    </MenuItem>
  ));
}

interface SheetButtonProps extends AddFilterProps {
  readonly hasComparison: boolean;
  /** How many filters are set that have no button here. */
  readonly set: number;
}

/** Opens all filters over the page. */
function SheetButton({ set, ...sheet }: SheetButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`button ${set > 0 ? 'is-set' : 'filter-add'}`}
        aria-haspopup="dialog"
        data-shortcut="filter"
        onClick={() => setOpen(true)}
      >
        <ListFilter className="icon" aria-hidden="true" />
        {filterBarWords.filter}
        {set > 0 && <span> {set}</span>}
      </button>
      {isOpen && (
        <Suspense>
          <FilterSheet {...sheet} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
