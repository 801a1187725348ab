import { usePathname } from 'wouter/use-browser-location';
import { TimeZone } from '../../../src/calendar.ts';
import { tableShown } from '../ask/page-tables.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { shownTime } from './format.ts';
import { freshnessWords } from './notice-words.ts';

/** The moment up to which the data of the page reach. Undefined until it is known, null where there is none. */
function useThrough(): string | null | undefined {
  const { data } = useDataStatus();
  const table = tableShown(usePathname(), useView().state.own);
  if (!data) return undefined;
  // The time of the page's own table: a survey of last spring says nothing of pull requests.
  const own = data.tables.find((one) => one.table === table);
  return own ? own.data_through : data.data_through;
}

/** How far the data of the page reach, in words: `Data through 18 Nov, 14:05`. Undefined until it is known. */
export function useDataThrough(): string | undefined {
  const { zone } = useView();
  const through = useThrough();
  return through === undefined
    ? undefined
    : through === null
      ? freshnessWords.noDataYet
      : freshnessWords.dataThrough(shownTime(through, zone));
}

/** How new the data is, at the end of the filters; in amber where something has come to a halt. */
export function Freshness({ isShort = false }: { readonly isShort?: boolean }) {
  const { zone, today } = useView();
  const words = useDataThrough();
  const through = useThrough();
  const { data } = useDataStatus();
  if (words === undefined) return null;
  const isLate = (data?.stale.length ?? 0) > 0;
  return (
    <span className={`freshness ${isLate ? 'is-late' : ''}`} {...(isShort ? { title: words } : {})}>
      {isShort && through ? (
        <>
          <span className="unseen">{words}</span>
          <span aria-hidden="true">{shortTime(through, zone, today)}</span>
        </>
      ) : (
        words
      )}
    </span>
  );
}

/** `14:05` of today, `16 Nov` of any other day. */
function shortTime(moment: string, zone: string, today: string): string {
  const [day = '', time = ''] = shownTime(moment, zone).split(', ');
  return TimeZone.named(zone).dayAt(Date.parse(moment) / 1_000) === today ? time : day;
}
