import { lazy, Suspense, useState } from 'react';
import type { Figure } from '../ask/figure.ts';
import { explanationWords } from './answer-words.ts';

const LeftOutList = lazy(() => import('./left-out-list.tsx'));

/** The records that the figures of a page leave out, and why. The page asks when the reader opens it. */
export function LeftOut({ figures }: { readonly figures: readonly Figure[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="left-out" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{explanationWords.notCounted}</summary>
      {isOpen && (
        <Suspense fallback={explanationWords.looking}>
          <LeftOutList figures={figures} />
        </Suspense>
      )}
    </details>
  );
}
