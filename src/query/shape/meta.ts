import { periodsBefore } from '../previous-period.ts';
import type { MetricRequest } from '../request.ts';
import type { UnmatchedFilters } from '../unmatched-filters.ts';
import { type Window, windowBefore } from '../window.ts';

export interface DateRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** What an answer says about the question. */
export interface Meta {
  /** As the caller wrote them. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** Absent where time makes no sense. */
  readonly date_range?: DateRange;
  readonly previous_date_range?: DateRange;
  /** Values that match nothing, as they were sent. */
  readonly unmatched_filters?: UnmatchedFilters;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed?: number;
}

type MetaRequest = Pick<MetricRequest, 'metrics' | 'filters' | 'window' | 'zone'>;

/** What an answer says of what is not in it. */
export interface MetaNotes {
  readonly unmatched?: UnmatchedFilters | undefined;
  readonly suppressed?: number | undefined;
}

interface MetaOptions extends MetaNotes {
  readonly withPrevious: boolean;
}

export function metaOf(asked: MetaRequest, { withPrevious, unmatched, suppressed }: MetaOptions): Meta {
  const { filters, window } = asked;
  return {
    filters: filters.written,
    ...(window && { date_range: dateRange(window) }),
    ...(window && withPrevious && { previous_date_range: dateRange(previousWindow(asked, window)) }),
    ...(unmatched && { unmatched_filters: unmatched }),
    ...(suppressed !== undefined && { suppressed }),
  };
}

/** Where some metrics look at whole days and others at instants, the days of the instants. */
function previousWindow(asked: MetaRequest, window: Window): Window {
  const [period, ...others] = periodsBefore(asked);
  return period?.window && others.length === 0 ? period.window : windowBefore(window, asked.zone);
}

const dateRange = ({ firstDay, lastDay }: Window): DateRange => ({ start_date: firstDay, end_date: lastDay });
