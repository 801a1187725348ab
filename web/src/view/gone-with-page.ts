import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Removes a secret when the page is left: a browser may keep the whole page to show it again, but not the secret. */
export function useGoneWithPage(hide: () => void): void {
  const newest = useRef(hide);
  newest.current = hide;
  useEffect(() => {
    const onHide = () => flushSync(() => newest.current());
    window.addEventListener('pagehide', onHide);
    return () => window.removeEventListener('pagehide', onHide);
  }, []);
}
