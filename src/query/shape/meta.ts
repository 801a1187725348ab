import type { MetricRequest } from '../request.ts';
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
}

type Asked = Pick<MetricRequest, 'filters' | 'window' | 'zone'>;

export function metaOf({ filters, window, zone }: Asked, { withPrevious }: { readonly withPrevious: boolean }): Meta {
  return {
    filters: filters.written,
    ...(window && { date_range: dateRange(window) }),
    ...(window && withPrevious && { previous_date_range: dateRange(windowBefore(window, zone)) }),
  };
}

const dateRange = ({ firstDay, lastDay }: Window): DateRange => ({ start_date: firstDay, end_date: lastDay });
