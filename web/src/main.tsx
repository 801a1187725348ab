import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Switch } from 'wouter';
import './theme/tokens.css';
import './theme/base.css';
import { AskError } from './ask/send.ts';
import { queryClient } from './ask/use-answer.ts';
import { pages, routes } from './routes.ts';
import { loadSession, SessionContext, signInAddress } from './session.ts';
import { applyTheme } from './theme/theme.ts';
import { ErrorBoundary } from './view/error-boundary.tsx';
import { Frame } from './view/frame.tsx';
import { NoSuchPage } from './view/no-such-page.tsx';
import { Failed } from './view/states.tsx';

function Application() {
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => loadSession(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Nobody is signed in, and nothing is on the page yet that could be lost.
  const isStranger = !session && error instanceof AskError && error.isSignedOut;
  useEffect(() => {
    if (isStranger) location.assign(signInAddress());
  }, [isStranger]);
  if (!session && error instanceof AskError && !error.isSignedOut) {
    return (
      <main>
        <h1>Plumb</h1>
        <Failed error={error} retry={() => void refetch()} what="The page" />
      </main>
    );
  }
  if (!session) return <div className="frame" aria-busy="true" />;
  return (
    <SessionContext value={session}>
      <Frame>
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
      </Frame>
    </SessionContext>
  );
}

applyTheme();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Application />
      </QueryClientProvider>
    </StrictMode>,
  );
}
