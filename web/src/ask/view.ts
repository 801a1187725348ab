import { type DateLevel, TimeZone } from '../../../src/calendar.ts';
import { aboutMetric, type MetricName } from './metric.ts';
import type { RequestFilters } from './question.ts';
import type { ViewState } from './view-state.ts';
import { type DayWindow, levelOf, windowOf, windowToCompare } from './windows.ts';

/** What the reader looks at, from the address, and how to change it. */
export interface View {
  readonly state: ViewState;
  readonly zone: string;
  readonly today: string;
  /** The moment up to which the data are whole, in seconds: what happened later may not be here yet. */
  readonly wholeUntil: number;
  readonly window: DayWindow;
  /** The window to compare with, where one is. */
  readonly before: DayWindow | undefined;
  readonly level: DateLevel;
  /** The filters of a request for a metric: those of the reader that the metric takes, and a window. */
  readonly filtersFor: (metric: MetricName, window?: DayWindow) => RequestFilters;
  /** The filters of the reader that a metric does not take, in words: its figures are of everything. */
  readonly ignoredBy: (metric: MetricName) => readonly string[];
}

export function viewOf(state: ViewState, zone: string, today: string): View {
  const window = windowOf(state.range, today);
  const taken = (metric: MetricName, filter: string): boolean => aboutMetric(metric).filters.includes(filter);
  const given = { team: state.filters.team, repositories: state.filters.repository, member: state.filters.person };
  return {
    state,
    zone,
    today,
    // Of today more is to come.
    wholeUntil: TimeZone.named(zone).startOf(today),
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
