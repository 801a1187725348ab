import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { retryFailed } from '../ask/page-failure.ts';
import { isUnreachable, onReachable } from '../ask/reachable.ts';
import { loadSession } from '../page-session.ts';
import { Notice } from './notice.tsx';
import { offlineNoteWords } from './notice-words.ts';

/** So often a page that has lost the server looks whether it is back. */
const lookEveryMs = 5_000;

/** Any answer tells that the server can be reached. */
const look = (): void => void loadSession().catch(() => undefined);

/**
 * Says that the server cannot be reached, above a page that stays as it is. What a browser says of the network is only
 * a reason to look: the server may be on this very machine. Once it is back, what failed is asked again.
 */
export function OfflineNote() {
  const isLost = useSyncExternalStore(onReachable, isUnreachable, () => false);
  const wasLost = useRef(false);
  useEffect(() => {
    window.addEventListener('offline', look);
    window.addEventListener('online', look);
    return () => {
      window.removeEventListener('offline', look);
      window.removeEventListener('online', look);
    };
  }, []);
  useEffect(() => {
    if (wasLost.current && !isLost) retryFailed();
    wasLost.current = isLost;
    if (!isLost) return;
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  return (
    <div className="offline-note" role="status">
      {isLost && (
        <Notice
          icon={WifiOff}
          tone="late"
          action={
            <button type="button" className="link" onClick={look}>
              Try now
            </button>
          }
        >
          <p>
            <b>{navigator.onLine ? offlineNoteWords.serverCantBeReached : offlineNoteWords.youreOffline}</b>{' '}
            {offlineNoteWords.whatsHereStaysPage}
          </p>
        </Notice>
      )}
    </div>
  );
}
