import { useQuery } from '@tanstack/react-query';
import type { TableReach } from './data-reach.ts';
import { getJson } from './send.ts';
import type { DataStatus } from './status-answer.ts';

/** How long a page waits for the status, in milliseconds. Without the status, windows end with yesterday. */
const maxWait = 3_000;

const none: readonly TableReach[] = [];

/**
 * How far the data reach, as it was when the numbers of the page were asked. The status follows every sync, but windows do not
 * move under the reader's eyes: this is asked again when the reader wants to see new data.
 */
export function useDataReach(): { readonly reach: readonly TableReach[]; readonly isFirst: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['data-reach'],
    // No failure: one would be asked again by every part that needs it, and the page would never be drawn.
    queryFn: ({ signal }) =>
      getJson<Pick<DataStatus, 'tables'>>('/app/status', AbortSignal.any([signal, AbortSignal.timeout(maxWait)])).then(
        ({ tables }) => tables,
        () => none,
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { reach: data ?? none, isFirst: isPending };
}
