import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { useDataReach } from '../ask/use-data-reach.ts';
import { pages, routes } from '../routes.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NoSuchPage } from './no-such-page.tsx';

const waiting = <div className="skeleton page-waiting" aria-busy="true" />;

/** The page whose path the address has. */
export function PageAtAddress() {
  // Without the status a page would ask for one window and then for another.
  const { isFirst } = useDataReach();
  if (isFirst) return waiting;
  return (
    <Switch>
      {routes.map(({ path, folder }) => {
        const Page = pages[folder];
        return Page ? (
          <Route key={path} path={path}>
            <ErrorBoundary key={path}>
              <Suspense fallback={waiting}>
                <Page />
              </Suspense>
            </ErrorBoundary>
          </Route>
        ) : null;
      })}
      <Route>
        <NoSuchPage />
      </Route>
    </Switch>
  );
}
