import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/print.css';
import { AskError } from './ask/send.ts';
import { queryClient } from './ask/use-answer.ts';
import { loadSession, SessionContext, signInAddress } from './page-session.ts';
import { preparePrinting } from './theme/printing.ts';
import { applyTheme } from './theme/theme.ts';
import { Frame } from './view/frame.tsx';
import { PageAtAddress } from './view/page-at-address.tsx';
import { Shell } from './view/shell.tsx';
import { shellWords } from './view/shell-words.ts';
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
  // Nobody is signed in, and the page holds nothing yet that could be lost.
  const isStranger = !session && error instanceof AskError && error.isSignedOut;
  useEffect(() => {
    if (isStranger) location.assign(signInAddress());
  }, [isStranger]);
  if (!session && error instanceof AskError && !error.isSignedOut) {
    return (
      <main>
        <h1>Plumb</h1>
        <Failed error={error} retry={() => void refetch()} what={shellWords.thePage} />
      </main>
    );
  }
  if (!session) return <Shell />;
  return (
    <SessionContext value={session}>
      <Frame>
        <PageAtAddress />
      </Frame>
    </SessionContext>
  );
}

applyTheme();
preparePrinting();
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
