import { addDays, type DateLevel, TimeZone } from '../../../src/calendar.ts';
import { sinceOf, type TableName, type TableReach, throughOf } from './data-reach.ts';
import { aboutMetric, type MetricName } from './metric-facts.ts';
import { pageFilterNames, pageFilters } from './page-filters.ts';
import type { RequestFilters } from './question.ts';
import type { ViewState } from './view-state.ts';
import {
  type DayReach,
  type DayWindow,
  dayReach,
  earlierReach,
  levelOf,
  windowOf,
  windowToCompare,
} from './windows.ts';

/** The state of the view in the address, and how to change it. */
export interface View {
  readonly state: ViewState;
  readonly zone: string;
  readonly today: string;
  /** How far the data reach, and the table that the page is about. */
  readonly data: PageData;
  /** How far the data of the page reach: what happened later may not be here yet. */
  readonly reach: DayReach;
  readonly window: DayWindow;
  /** The window to compare with, where one is. */
  readonly before: DayWindow | undefined;
  readonly level: DateLevel;
  /** The same for one metric: where its data end earlier, so do its windows. */
  readonly reachFor: (metric: MetricName) => DayReach;
  readonly windowFor: (metric: MetricName) => DayWindow;
  readonly beforeFor: (metric: MetricName) => DayWindow | undefined;
  /** Whether both windows of a metric are known in full, so that their numbers may stand beside each other. */
  readonly isComparable: (metric: MetricName) => boolean;
  /** The moment up to which the metric's data are complete, in seconds. */
  readonly wholeUntilFor: (metric: MetricName) => number;
  /** The filters of a request for a metric: the window, and the reader's filters that the metric takes. */
  readonly filtersFor: (metric: MetricName, window?: DayWindow) => RequestFilters;
  /** The reader's filters that a metric does not take, in words: its figures ignore them. */
  readonly ignoredBy: (metric: MetricName) => readonly string[];
}

export interface PageData {
  readonly reach: readonly TableReach[];
  /** Undefined for a page that is about no table. */
  readonly table: TableName | undefined;
}

/** Whether all of a window is later than the last day that has data. */
export const isAhead = ({ start }: DayWindow, { lastBegun }: DayReach): boolean => start > lastBegun;

const unknownData: PageData = { reach: [], table: undefined };

export function viewOf(state: ViewState, zone: string, today: string, data: PageData = unknownData): View {
  const reachOf = (tables: readonly string[]): DayReach => dayReach(throughOf(data.reach, tables), zone, today);
  const reach = reachOf(data.table ? [data.table] : []);
  const tablesOf = (metric: MetricName): readonly string[] => {
    const { table, tables = [table] } = aboutMetric(metric);
    return tables;
  };
  const reachFor = (metric: MetricName): DayReach => earlierReach(reachOf(tablesOf(metric)), reach);
  const windowFor = (metric: MetricName): DayWindow => {
    const own = reachFor(metric);
    const days = windowOf(state.range, today, own);
    return isAhead(days, own) ? window : days;
  };
  const beforeOf = (over: DayWindow): DayWindow | undefined => windowToCompare(over, state.compare, zone, state.range);
  const window = windowOf(state.range, today, reach);
  const isComparable = (metric: MetricName): boolean => {
    const [now, since] = [windowFor(metric), sinceOf(data.reach, tablesOf(metric))];
    const before = beforeOf(now);
    // Where nothing is known of a table's data, the page says nothing about them.
    if (!before || since === undefined) return true;
    const isReached = since <= TimeZone.named(zone).startOf(before.start);
    return isReached && [now, before].every(({ end }) => end <= reachFor(metric).lastSettled);
  };
  const taken = (metric: MetricName, filter: string): boolean => aboutMetric(metric).filters.includes(filter);
  const given = pageFilterNames.flatMap((name) => {
    const { request, many } = pageFilters[name];
    return state.filters[name].length > 0 ? { request, many, values: state.filters[name] } : [];
  });
  return {
    state,
    zone,
    today,
    data,
    reach,
    window,
    before: beforeOf(window),
    level: levelOf(window),
    reachFor,
    windowFor,
    beforeFor: (metric) => beforeOf(windowFor(metric)),
    isComparable,
    wholeUntilFor: (metric) => TimeZone.named(zone).startOf(addDays(reachFor(metric).lastWhole, 1)),
    filtersFor: (metric, { start, end } = windowFor(metric)) => ({
      start_date: start,
      end_date: end,
      ...Object.fromEntries(
        given.flatMap(({ request, values }) => (taken(metric, request) ? [[request, values]] : [])),
      ),
    }),
    ignoredBy: (metric) => given.flatMap(({ request, many }) => (taken(metric, request) ? [] : many)),
  };
}
