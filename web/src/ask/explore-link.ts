import { numberBehind } from './number-behind.ts';
import { pageFilterOf } from './page-filters.ts';
import { hasRowPicks } from './panel-conditions.ts';
import { rowsBehind } from './rows-behind.ts';
import type { View } from './view.ts';
import { addressOf, fits, type PanelState, type ViewFilters, type ViewState } from './view-state.ts';

/**
 * The number of a panel in Explore: the same metric, window and filters. What no filter can choose by is what Explore
 * groups by, so that the mark is one of its rows. Undefined where it does not fit into an address, or where only some
 * rows are meant in a way that Explore cannot say, such as by weekday.
 */
export function exploreLink(view: View, panel: PanelState): string | undefined {
  const { metric, aggregation, window, where = {} } = panel;
  if (hasRowPicks(where)) return undefined;
  const behind = rowsBehind(view, panel);
  const { body } = numberBehind(view, panel)?.question ?? behind.question;
  const filters: { -readonly [N in keyof ViewFilters]: ViewFilters[N] } = { ...view.state.filters };
  const chosen: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(body.filters)) {
    if (name === 'start_date' || name === 'end_date') continue;
    const ofPages = pageFilterOf(name);
    if (ofPages) filters[ofPages] = values as readonly string[];
    else chosen[name] = [values].flat();
  }
  const own = {
    metric,
    agg: aggregation ?? '',
    by: behind.picked.map(({ column }) => column).join(','),
    date: where.date_field ?? '',
    where: Object.keys(chosen).length === 0 ? '' : JSON.stringify(chosen),
  };
  const { range, compare } = view.state;
  const state: ViewState = {
    range: window ?? range,
    compare,
    filters,
    own: Object.fromEntries(Object.entries(own).filter(([, value]) => value !== '')),
  };
  return fits(state) ? addressOf('/explore', state) : undefined;
}
