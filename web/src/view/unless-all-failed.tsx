import type { ReactNode } from 'react';
import { retryFailed, usePageFailure } from '../ask/page-failure.ts';
import { unlessAllFailedWords } from './notice-words.ts';
import { Failed } from './states.tsx';

/** The parts of a page. Where every one of them failed, the page says so once, with one button that tries all again. */
export function UnlessAllFailed({ children }: { readonly children: ReactNode }) {
  const error = usePageFailure();
  return (
    <>
      {error && (
        <section className="card">
          <Failed error={error} retry={retryFailed} what={unlessAllFailedWords.thisPage} />
        </section>
      )}
      {/* Hidden parts stay there, since they are what asks again. */}
      <div className="stack" hidden={error !== undefined}>
        {children}
      </div>
    </>
  );
}
