import { useState } from 'react';
import { type Choice, usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import { changeView, type View } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { Menu, MenuItem } from './menu.tsx';

/** Team, repository and person: the filters of every page. They stay when the reader opens another page. */
export function FilterMenus({ view, isOfPerson }: { readonly view: View; readonly isOfPerson: boolean }) {
  // Names are loaded when a menu is opened, or when a chosen filter has to be named.
  const [opened, setOpened] = useState<readonly string[]>([]);
  const isWanted = (filter: keyof ViewFilters): boolean =>
    opened.includes(filter) || view.state.filters[filter].length > 0;
  const menu = (filter: keyof ViewFilters) => ({ view, filter, onOpen: () => setOpened([...opened, filter]) });
  const [teams, people] = [useTeams(isWanted('team')), usePeople(isWanted('person'))];
  const repositories = useRepositories(view.today, isWanted('repository'));
  return (
    <>
      <FilterMenu {...menu('team')} all="All teams" some="teams" choices={teams} />
      <FilterMenu {...menu('repository')} all="All repositories" some="repositories" choices={repositories} />
      {!isOfPerson && <FilterMenu {...menu('person')} all="Everyone" some="people" choices={people} />}
    </>
  );
}

interface FilterMenuProps {
  readonly view: View;
  readonly filter: keyof ViewFilters;
  readonly all: string;
  readonly some: string;
  readonly choices: readonly Choice[];
  readonly onOpen: () => void;
}

/** Typing finds the rest. */
const maxShown = 100;

function FilterMenu({ view, filter, all, some, choices, onOpen }: FilterMenuProps) {
  const [search, setSearch] = useState('');
  const [isFull, setFull] = useState(false);
  const chosen = view.state.filters[filter];
  const nameOf = (id: string): string => choices.find((choice) => choice.id === id)?.name ?? id;
  const label = chosen.length === 0 ? all : chosen.length === 1 ? nameOf(chosen[0] ?? '') : `${chosen.length} ${some}`;
  const set = (ids: readonly string[]) => setFull(!changeView({ filters: { ...view.state.filters, [filter]: ids } }));
  const found = choices.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <Menu
      label={<span className="menu-label">{label}</span>}
      name={`Filter: ${label}`}
      className={`button ${chosen.length === 0 ? 'quiet' : 'is-set'}`}
      shortcut={filter}
      onOpen={onOpen}
    >
      {() => (
        <>
          <div className="menu-part">
            <input
              className="input"
              type="search"
              placeholder={`Search ${some}`}
              aria-label={`Search ${some}`}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
          {isFull && (
            <p className="menu-part small bad">The address of the page has no room for more. Choose a team instead.</p>
          )}
          {chosen.length > 0 && <MenuItem onPick={() => set([])}>{all}</MenuItem>}
          {found.slice(0, maxShown).map(({ id, name }) => (
            <MenuItem
              key={id}
              isChosen={chosen.includes(id)}
              onPick={() => set(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
            >
              {name}
            </MenuItem>
          ))}
          {found.length === 0 && (
            <p className="menu-part small secondary">{search === '' ? 'None are known yet.' : 'None found.'}</p>
          )}
          {found.length > maxShown && (
            <p className="menu-part small secondary">{found.length - maxShown} more: type to find them.</p>
          )}
        </>
      )}
    </Menu>
  );
}
