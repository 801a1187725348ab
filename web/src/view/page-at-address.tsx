import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { pages, routes } from '../routes.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NoSuchPage } from './no-such-page.tsx';

/** The page whose path the address has. */
export function PageAtAddress() {
  return (
    <Switch>
      {routes.map(({ path, folder }) => {
        const Page = pages[folder];
        return Page ? (
          <Route key={path} path={path}>
            <ErrorBoundary key={path}>
              <Suspense fallback={<div className="skeleton page-waiting" aria-busy="true" />}>
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
