import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useLiveEvent } from '../ask/event-stream.ts';
import { isSignedOut, onSignedOut } from '../ask/session-lost.ts';
import { queryClient } from '../ask/use-answer.ts';
import { loadSession, signInAddress } from '../page-session.ts';
import { shellWords } from './shell-words.ts';
import './session-ended.css';

/** Any answer tells whether there is a session. */
const askForSession = (): void => void loadSession().catch(() => undefined);

/**
 * Says that the session has ended, above a page that stays as it is: what a person has entered is not lost. A person
 * who signs in again in another window finds this one working when they come back.
 */
export function SessionEnded() {
  const isOut = useSyncExternalStore(onSignedOut, isSignedOut);
  const wasOut = useRef(false);
  // Links to the sign-in page hold the present address.
  useLocation();
  useSearch();
  useLiveEvent('refused', askForSession);
  useEffect(() => {
    if (wasOut.current && !isOut) void queryClient.invalidateQueries();
    wasOut.current = isOut;
    if (!isOut) return;
    window.addEventListener('focus', askForSession);
    document.addEventListener('visibilitychange', askForSession);
    return () => {
      window.removeEventListener('focus', askForSession);
      document.removeEventListener('visibilitychange', askForSession);
    };
  }, [isOut]);
  return (
    <div className="session-ended" role="alert">
      {isOut && (
        <>
          <p>
            <strong>{shellWords.sessionEnded}</strong> {shellWords.signInToReturn}
          </p>
          <div className="row">
            <a className="button primary" href={signInAddress()}>
              {shellWords.signInAgain}
            </a>
            <a className="button" href="/sign-in" target="_blank" rel="noreferrer">
              {shellWords.signInElsewhere}
            </a>
          </div>
        </>
      )}
    </div>
  );
}
