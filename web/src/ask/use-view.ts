import { useMemo } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { useSession } from '../page-session.ts';
import { pageRangeOf, usePageRange } from './page-range.ts';
import { tableOfPath } from './page-tables.ts';
import { useDataReach } from './use-data-reach.ts';
import { type View, viewOf } from './view.ts';
import { addressOf, firstState, fits, fromSearch, type PanelState, type ViewState } from './view-state.ts';
import { todayIn } from './windows.ts';

export type { View };

export function useView(): View {
  const search = useSearch();
  const path = usePathname();
  const table = tableOfPath(path);
  const own = usePageRange(path);
  const { reach } = useDataReach();
  const { time_zone: zone } = useSession().organisation;
  const today = todayIn(zone);
  return useMemo(() => {
    const state = fromSearch(search);
    const isChosen = state.isRangeChosen || state.range !== firstState.range;
    return viewOf(own === undefined || isChosen ? state : { ...state, range: own }, zone, today, { reach, table });
  }, [search, zone, today, reach, table, own]);
}

/** The state in the address, which is newer than the one that was drawn last. */
const stateNow = (): ViewState => fromSearch(location.search);

/** Changes part of the state. A replaced state adds no step to Back. */
export function changeView(change: Partial<ViewState>, { replace = false } = {}): boolean {
  const hasOwnRange = change.range !== undefined && pageRangeOf(location.pathname) !== undefined;
  const state: ViewState = { ...stateNow(), ...change, ...(hasOwnRange ? { isRangeChosen: true } : {}) };
  if (!fits(state)) return false;
  navigate(addressOf(location.pathname, state), { replace });
  return true;
}

/** The panel that is open, for what needs nothing else of the address. */
export function useOpenPanel(): PanelState | undefined {
  const search = useSearch();
  return useMemo(() => fromSearch(search).panel, [search]);
}

export const openPanel = (panel: PanelState): boolean => changeView({ panel });

export function closePanel(): void {
  const { panel: _closed, ...state } = stateNow();
  navigate(addressOf(location.pathname, state));
}

/** Takes parameters out of the address. */
export function dropParameters(names: readonly string[]): void {
  const search = new URLSearchParams(location.search);
  for (const name of names) search.delete(name);
  navigate(addressOf(location.pathname, fromSearch(search.toString())), { replace: true });
}

/** A choice that one page keeps in the address. */
export function useOwnChoice<C extends string>(name: string, first: C, all: readonly C[]): [C, (choice: C) => void] {
  const { own } = useView().state;
  const chosen = all.find((one) => one === own[name]) ?? first;
  return [chosen, (choice) => changeOwn({ [name]: choice === first ? '' : choice })];
}

/** Sets choices of the page; an empty value removes one. */
export function changeOwn(choices: Readonly<Record<string, string>>, options?: { replace?: boolean }): boolean {
  const own = Object.entries({ ...stateNow().own, ...choices }).filter(([, value]) => value !== '');
  return changeView({ own: Object.fromEntries(own) }, options);
}
