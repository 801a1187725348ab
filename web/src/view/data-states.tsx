import { lazy, type ReactNode, Suspense } from 'react';
import { useLocation } from 'wouter';
import { firstSyncs } from '../ask/status-answer.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { whatPagesShow } from './what-pages-show-words.ts';

const Arriving = lazy(() => import('./arriving.tsx'));
const NothingYet = lazy(() => import('./nothing-yet.tsx'));

/** A page, or why it has nothing to show yet: no source is connected, or history is still being read. */
export function DataStates({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  const { data: status } = useDataStatus();
  const shows = whatPagesShow[path];
  // Without the status, the page itself says what it lacks.
  if (shows === undefined || status === undefined) return children;
  if (!status.has_data) {
    return (
      <section className="card">
        <Suspense fallback={<div className="skeleton" style={{ height: 280 }} aria-busy="true" />}>
          {status.syncing.length > 0 ? (
            <Arriving status={status} syncs={status.syncing} shows={shows} />
          ) : (
            <NothingYet status={status} shows={shows} />
          )}
        </Suspense>
      </section>
    );
  }
  const first = firstSyncs(status);
  return (
    <>
      {first.length > 0 && (
        <Suspense fallback={<div className="skeleton" style={{ height: 160 }} aria-busy="true" />}>
          <Arriving status={status} syncs={first} />
        </Suspense>
      )}
      {children}
    </>
  );
}
