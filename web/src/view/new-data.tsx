import { useRef, useState } from 'react';
import { useLiveEvent } from '../ask/live-events.ts';
import { queryClient } from '../ask/use-answer.ts';
import { tellStatus } from '../ask/use-data-status.ts';

/** Says that there is new data and waits for the reader: numbers do not move under their eyes. */
export function NewData() {
  const shown = useRef<number>(undefined);
  const [newest, setNewest] = useState<number>();
  useLiveEvent('data', ({ version }) => {
    shown.current ??= version;
    setNewest(version);
  });
  useLiveEvent('sync', tellStatus);
  const show = () => {
    shown.current = newest;
    setNewest(undefined);
    void queryClient.invalidateQueries();
  };
  const hasNews = newest !== undefined && newest !== shown.current;
  return (
    <div className="new-data" role="status">
      {hasNews && (
        <button type="button" className="button" onClick={show}>
          Show new data
        </button>
      )}
    </div>
  );
}
