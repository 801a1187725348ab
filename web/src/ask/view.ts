import { addDays, type DateLevel, TimeZone } from '../../../src/calendar.ts';
import { type TableName, type TableReach, throughOf } from './data-reach.ts';
import { aboutMetric, type MetricName } from './metric.ts';
import type { RequestFilters } from './question.ts';
import type { ViewState } from './view-state.ts';
import { type DayWindow, lastWholeDay, levelOf, windowOf, windowToCompare } from './windows.ts';

/** What the reader looks at, from the address, and how to change it. */
export interface View {
  readonly state: ViewState;
  readonly zone: string;
  readonly today: string;
  /** How far the data reach, and the table that the page is about. */
  readonly data: PageData;
  /** The last day with whole data of the page: what happened later may not be here yet. */
  readonly lastDay: string;
  readonly window: DayWindow;
  /** The window to compare with, where one is. */
  readonly before: DayWindow | undefined;
  readonly level: DateLevel;
  /** The same for a metric: where its own data end earlier, so do its windows. */
  readonly windowFor: (metric: MetricName) => DayWindow;
  readonly beforeFor: (metric: MetricName) => DayWindow | undefined;
  /** The moment up to which the data of a metric are whole, in seconds. */
  readonly wholeUntilFor: (metric: MetricName) => number;
  /** The filters of a request for a metric: those of the reader that the metric takes, and a window. */
  readonly filtersFor: (metric: MetricName, window?: DayWindow) => RequestFilters;
  /** The filters of the reader that a metric does not take, in words: its figures are of everything. */
  readonly ignoredBy: (metric: MetricName) => readonly string[];
}

export interface PageData {
  readonly reach: readonly TableReach[];
  /** Undefined for a page that is about no table. */
  readonly table: TableName | undefined;
}

const unknownData: PageData = { reach: [], table: undefined };

export function viewOf(state: ViewState, zone: string, today: string, data: PageData = unknownData): View {
  const lastDayOf = (tables: readonly string[]): string => lastWholeDay(throughOf(data.reach, tables), zone, today);
  const lastDay = lastDayOf(data.table ? [data.table] : []);
  const lastDayFor = (metric: MetricName): string => {
    const { table, tables = [table] } = aboutMetric(metric);
    const own = lastDayOf(tables);
    return own < lastDay ? own : lastDay;
  };
  const windowFor = (metric: MetricName): DayWindow => windowOf(state.range, today, lastDayFor(metric));
  const beforeOf = (over: DayWindow): DayWindow | undefined => windowToCompare(over, state.compare, zone, state.range);
  const window = windowOf(state.range, today, lastDay);
  const taken = (metric: MetricName, filter: string): boolean => aboutMetric(metric).filters.includes(filter);
  const given = { team: state.filters.team, repositories: state.filters.repository, member: state.filters.person };
  return {
    state,
    zone,
    today,
    data,
    lastDay,
    window,
    before: beforeOf(window),
    level: levelOf(window),
    windowFor,
    beforeFor: (metric) => beforeOf(windowFor(metric)),
    wholeUntilFor: (metric) => TimeZone.named(zone).startOf(addDays(lastDayFor(metric), 1)),
    filtersFor: (metric, { start, end } = windowFor(metric)) => ({
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
