import { lazy, Suspense, useState } from 'react';
import type { Figure } from '../ask/figure.ts';

const LeftOutList = lazy(() => import('./left-out-list.tsx'));

/** What has no part in the figures of a page, and why. It is asked when somebody wants to know. */
export function LeftOut({ figures }: { readonly figures: readonly Figure[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="left-out" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was left out and why</summary>
      {isOpen && (
        <Suspense fallback="Looking…">
          <LeftOutList figures={figures} />
        </Suspense>
      )}
    </details>
  );
}
