import { useRef, useState } from 'react';
import { useLiveEvent } from '../ask/event-stream.ts';
import { mayBeOwnChange } from '../ask/own-change.ts';
import { refresh } from '../ask/refresh.ts';
import { queryClient } from '../ask/use-answer.ts';
import { tellStatus } from '../ask/use-data-status.ts';
import { newDataWords } from './notice-words.ts';

/**
 * Says that there is new data and waits for the reader: numbers do not change under their eyes. Readers expect to see
 * their own changes, so figures follow these at once.
 */
export function NewData() {
  const shown = useRef<number>(undefined);
  const [newest, setNewest] = useState<number>();
  useLiveEvent('data', ({ version }) => {
    shown.current ??= version;
    if (version !== shown.current && newest === undefined && mayBeOwnChange()) {
      shown.current = version;
      void queryClient.invalidateQueries();
    } else if (version !== shown.current) setNewest(version);
  });
  useLiveEvent('sync', tellStatus);
  useLiveEvent('again', () => void refresh('/app/status'));
  const show = () => {
    shown.current = newest;
    setNewest(undefined);
    void queryClient.invalidateQueries();
  };
  return (
    <div className="new-data" role="status">
      {newest !== undefined && (
        <button type="button" className="button" onClick={show}>
          {newDataWords.showNewData}
        </button>
      )}
    </div>
  );
}
