import type { ReactNode } from 'react';
import { useJson } from '../ask/use-answer.ts';
import { useView } from '../ask/use-view.ts';
import { CopyButton } from './copy.tsx';
import { shownTime } from './format.ts';
import type { SyncProgress } from './states.tsx';

/** What `GET /app/status` says of the organisation's data. */
export interface DataStatus {
  readonly connections: number;
  readonly syncing: readonly SyncProgress[];
  readonly data_through: string | null;
  readonly is_demo: boolean;
  readonly last_backup_at: string | null;
}

export const useDataStatus = () => useJson<DataStatus>('/app/status');

/** How fresh the data are, and how to take the view along. */
export function PageFoot({ note }: { readonly note?: ReactNode }) {
  const { zone } = useView();
  const { data } = useDataStatus();
  return (
    <footer className="page-foot">
      <span>
        {data?.data_through ? `Data through ${shownTime(data.data_through, zone)}` : 'No data yet'} · days of {zone}
      </span>
      <CopyButton text={location.href} label="Copy link" />
      <a href="/docs">API</a>
      {note && <span>{note}</span>}
    </footer>
  );
}
