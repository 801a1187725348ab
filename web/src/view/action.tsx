import { useState } from 'react';
import { AskError } from '../ask/send.ts';
import './action.css';
import { actionWords } from './action-words.ts';

/** A change that the reader makes on a page: under way, done, or refused. */
export interface PageAction {
  readonly isBusy: boolean;
  readonly said: string | undefined;
  readonly error: AskError | undefined;
  /** Makes the change and keeps its closing sentence. False where the server refused it. */
  readonly run: (work: () => Promise<string>) => Promise<boolean>;
  readonly clear: () => void;
}

export function useAction(): PageAction {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<string>();
  const [error, setError] = useState<AskError>();
  const run = async (work: () => Promise<string>): Promise<boolean> => {
    setBusy(true);
    setSaid(undefined);
    setError(undefined);
    try {
      setSaid(await work());
      return true;
    } catch (problem) {
      setError(problem instanceof AskError ? problem : new AskError(0, String(problem), undefined));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const clear = () => {
    setSaid(undefined);
    setError(undefined);
  };
  return { isBusy, said, error, run, clear };
}

/**
 * Says what was done, or why it was refused and what to do. The element exists before, so that screen readers hear the
 * text.
 */
export function ActionOutcome({ action: { said, error } }: { readonly action: PageAction }) {
  return (
    <div className="outcome" role="status" data-outcome={error ? 'refused' : said ? 'done' : 'none'}>
      {said && <p className="outcome-done">{said}</p>}
      {error && (
        <p className="outcome-refused">
          {error.message}
          {error.isSignedOut && (
            <>
              {' '}
              <a href="/sign-in" target="_blank" rel="noreferrer">
                {actionWords.signInInAnother}
              </a>{' '}
              {actionWords.andTryAgainWhat}
            </>
          )}
          {error.requestId && <span className="small"> {actionWords.request(error.requestId)}</span>}
        </p>
      )}
    </div>
  );
}
