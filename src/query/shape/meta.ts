import { isoText } from '../../calendar.ts';
import type { Extent } from '../data-extent.ts';
import { comparedWith, namedWindow } from '../metric-window.ts';
import type { MetricRequest } from '../request.ts';
import type { UnmatchedFilters } from '../unmatched-filters.ts';
import { type DateRange, dateRangeOf } from '../window.ts';

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
  /** The moment up to which the rows are complete. Absent where there are none. */
  readonly data_through?: string;
  /** Streams of sources that do not count for it. */
  readonly data_missing?: readonly string[];
}

type MetaRequest = Pick<MetricRequest, 'metrics' | 'filters' | 'window' | 'chosenBefore' | 'zone'>;

/** What an answer says of what is not in it. */
export interface MetaNotes {
  readonly unmatched?: UnmatchedFilters | undefined;
  readonly suppressed?: number | undefined;
  readonly extent?: Extent | undefined;
}

interface MetaOptions extends MetaNotes {
  readonly withPrevious: boolean;
}

export function metaOf(asked: MetaRequest, { withPrevious, unmatched, suppressed, extent }: MetaOptions): Meta {
  const { filters, zone } = asked;
  const window = namedWindow(asked);
  return {
    filters: filters.written,
    ...(window && { date_range: dateRangeOf(window, zone) }),
    ...(window && withPrevious && { previous_date_range: dateRangeOf(comparedWith(window, asked), zone) }),
    ...(unmatched && { unmatched_filters: unmatched }),
    ...(suppressed !== undefined && { suppressed }),
    ...dataMeta(extent),
  };
}

/** What an answer says of the data that it is made of. */
export const dataMeta = (extent: Extent | undefined): Pick<Meta, 'data_through' | 'data_missing'> => ({
  ...(extent?.through !== undefined && { data_through: isoText(extent.through) }),
  ...(extent && extent.missing.length > 0 && { data_missing: extent.missing }),
});
