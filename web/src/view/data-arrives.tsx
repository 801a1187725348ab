import type { ReactNode } from 'react';
import { useJson } from '../ask/use-answer.ts';
import { NothingConnected, Syncing } from './states.tsx';

/** What `GET /app/status` says of where data come from and what is on its way. */
interface ArrivalStatus {
  readonly connections: number;
  readonly is_demo: boolean;
  readonly has_data?: boolean;
  readonly data_through: string | null;
  readonly syncing: readonly {
    readonly name: string;
    readonly progress: {
      readonly done: number;
      readonly estimated: number | null;
      readonly seconds_left: number | null;
    } | null;
  }[];
}

interface DataArrivesProps {
  /** What the page will show once something is connected. */
  readonly shows: string;
  readonly children: ReactNode;
}

/** The page, or what to do where nothing is connected; while history arrives, how far it is, above what is there. */
export function DataArrives({ shows, children }: DataArrivesProps) {
  const { data } = useJson<ArrivalStatus>('/app/status');
  const hasData = data === undefined || data.is_demo || (data.has_data ?? data.data_through !== null);
  const isSyncing = data !== undefined && data.syncing.length > 0;
  return (
    <>
      {isSyncing && (
        <Syncing
          progress={data.syncing.map(({ name, progress }) => ({
            source: name,
            done: progress?.done ?? 0,
            total: progress?.estimated ?? null,
            left: progress?.seconds_left ?? null,
          }))}
        />
      )}
      {hasData || (data.connections > 0 && isSyncing) ? children : <NothingConnected shows={shows} />}
    </>
  );
}
