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
}

type Asked = Pick<MetricRequest, 'metrics' | 'filters' | 'window' | 'zone'>;

export interface MetaOptions {
  readonly withPrevious: boolean;
  readonly unmatched: UnmatchedFilters | undefined;
}

export function metaOf(asked: Asked, { withPrevious, unmatched }: MetaOptions): Meta {
  const { filters, window } = asked;
  return {
    filters: filters.written,
    ...(window && { date_range: dateRange(window) }),
    ...(window && withPrevious && { previous_date_range: dateRange(previousWindow(asked, window)) }),
    ...(unmatched && { unmatched_filters: unmatched }),
  };
}

/** Where some metrics look at whole days and others at instants, the days of the instants. */
function previousWindow(asked: Asked, window: Window): Window {
  const [period, ...others] = periodsBefore(asked);
  return period?.window && others.length === 0 ? period.window : windowBefore(window, asked.zone);
}

const dateRange = ({ firstDay, lastDay }: Window): DateRange => ({ start_date: firstDay, end_date: lastDay });
