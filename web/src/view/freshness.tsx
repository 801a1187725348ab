import { usePathname } from 'wouter/use-browser-location';
import { tableOfPath } from '../ask/page-tables.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { shownTime } from './format.ts';

/** How far the data of the page reach, in words: `Data through 18 Nov, 14:05`. Undefined until it is known. */
export function useDataThrough(): string | undefined {
  const { zone } = useView();
  const { data } = useDataStatus();
  const table = tableOfPath(usePathname());
  if (!data) return undefined;
  // The time of the page's own table: a survey of last spring says nothing of pull requests.
  const own = data.tables.find((one) => one.table === table);
  const through = own ? own.data_through : data.data_through;
  return through ? `Data through ${shownTime(through, zone)}` : 'No data yet';
}

/** How new the data are, at the end of the filters; in amber where something has come to a halt. */
export function Freshness() {
  const words = useDataThrough();
  const { data } = useDataStatus();
  const isLate = (data?.stale.length ?? 0) > 0;
  return words === undefined ? null : <span className={`freshness ${isLate ? 'is-late' : ''}`}>{words}</span>;
}
