import type { View } from '../../ask/view.ts';

/** The window of the page says nothing of what waits now, so only the filters are asked with. */
export function attentionPath(view: Pick<View, 'filtersFor'>): string {
  const { start_date: _start, end_date: _end, ...filters } = view.filtersFor('pull-requests-count');
  return Object.keys(filters).length === 0
    ? '/app/attention'
    : `/app/attention?filters=${encodeURIComponent(JSON.stringify(filters))}`;
}
