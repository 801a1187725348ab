import { useMemo } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import type { DateLevel } from '../../../src/calendar.ts';
import { useSession } from '../session.ts';
import { aboutMetric, type MetricName } from './metric.ts';
import type { RequestFilters } from './question.ts';
import { firstState, fits, fromSearch, type PanelState, toSearch, type ViewState } from './view-state.ts';
import { type DayWindow, levelOf, todayIn, windowOf, windowToCompare } from './windows.ts';

/** What the reader looks at, from the address, and how to change it. */
export interface View {
  readonly state: ViewState;
  readonly zone: string;
  readonly today: string;
  readonly window: DayWindow;
  /** The window to compare with, where one is. */
  readonly before: DayWindow | undefined;
  readonly level: DateLevel;
  /** The filters of a request for a metric: those of the reader that the metric takes, and a window. */
  readonly filtersFor: (metric: MetricName, window?: DayWindow) => RequestFilters;
  /** The filters of the reader that a metric does not take, in words: its figures are of everything. */
  readonly ignoredBy: (metric: MetricName) => readonly string[];
}

export function useView(): View {
  const search = useSearch();
  const { time_zone: zone } = useSession().organisation;
  const today = todayIn(zone);
  return useMemo(() => viewOf(fromSearch(search), zone, today), [search, zone, today]);
}

export function viewOf(state: ViewState, zone: string, today: string): View {
  const window = windowOf(state.range, today);
  const taken = (metric: MetricName, filter: string): boolean => aboutMetric(metric).filters.includes(filter);
  const given = { team: state.filters.team, repositories: state.filters.repository, member: state.filters.person };
  return {
    state,
    zone,
    today,
    window,
    before: windowToCompare(window, state.compare, zone),
    level: levelOf(window),
    filtersFor: (metric, { start, end } = window) => ({
      start_date: start,
      end_date: end,
      ...Object.fromEntries(Object.entries(given).filter(([name, values]) => values.length > 0 && taken(metric, name))),
    }),
    ignoredBy: (metric) =>
      Object.entries({ team: 'teams', repositories: 'repositories', member: 'people' })
        .filter(([name]) => given[name as keyof typeof given].length > 0 && !taken(metric, name))
        .map(([, words]) => words),
  };
}

/** The state as the address has it now, which is newer than what was drawn last. */
const stateNow = (): ViewState => fromSearch(location.search);

/** Changes part of the state. Replaced states do not get into the way of Back. */
export function changeView(change: Partial<ViewState>, { replace = false } = {}): boolean {
  const state = { ...stateNow(), ...change };
  if (!fits(state)) return false;
  navigate(addressOf(location.pathname, state), { replace });
  return true;
}

export const openPanel = (panel: PanelState): boolean => changeView({ panel });

export function closePanel(): void {
  const { panel: _closed, ...state } = stateNow();
  navigate(addressOf(location.pathname, state));
}

/** One choice of a page of its own, kept in the address. */
export function useOwnChoice<C extends string>(name: string, first: C, all: readonly C[]): [C, (choice: C) => void] {
  const { own } = useView().state;
  const chosen = all.find((one) => one === own[name]) ?? first;
  return [chosen, (choice) => changeOwn({ [name]: choice === first ? '' : choice })];
}

/** Sets choices of the page; an empty one is removed. */
export function changeOwn(choices: Readonly<Record<string, string>>, options?: { replace?: boolean }): boolean {
  const own = Object.entries({ ...stateNow().own, ...choices }).filter(([, value]) => value !== '');
  return changeView({ own: Object.fromEntries(own) }, options);
}

export function addressOf(path: string, state: ViewState): string {
  const search = toSearch(state);
  return search === '' ? path : `${path}?${search}`;
}

/** Another page with the same range, comparison and filters. Its panel and its own choices begin anew. */
export function linkTo(path: string, { range, compare, filters }: ViewState = firstState, panel?: PanelState): string {
  return addressOf(path, { range, compare, filters, own: {}, ...(panel ? { panel } : {}) });
}
