import type { ReactNode } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import type { Figure } from '../ask/figure.ts';
import { tableOfPath } from '../ask/page-tables.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { CopyButton } from './copy.tsx';
import { shownTime } from './format.ts';
import { LeftOut } from './left-out.tsx';

interface PageFootProps {
  readonly note?: ReactNode;
  readonly figures?: readonly Figure[] | undefined;
}

/** How new the data are, and how to take the view elsewhere. */
export function PageFoot({ note, figures = [] }: PageFootProps) {
  const { zone } = useView();
  const { data } = useDataStatus();
  const table = tableOfPath(usePathname());
  // The time of the page's own table: a survey of last spring says nothing of pull requests.
  const own = data?.tables.find((one) => one.table === table);
  const through = own ? own.data_through : data?.data_through;
  return (
    <footer className="page-foot">
      <span>
        {data && `${through ? `Data through ${shownTime(through, zone)}` : 'No data yet'} · `}days of {zone}
        {data && data.syncing.length > 0 ? ' · syncing now' : ''}
      </span>
      <CopyButton text={() => location.href} label="Copy link" />
      <a href="/docs">API</a>
      {note && <span>{note}</span>}
      {figures.length > 0 && <LeftOut figures={figures} />}
    </footer>
  );
}
