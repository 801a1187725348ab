import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { vi } from 'vitest';
import { queryClient } from '../../../web/src/ask/use-answer.ts';
import { fromSearch } from '../../../web/src/ask/view-state.ts';
import { loadSession, SessionContext } from '../../../web/src/page-session.ts';
import { PageAtAddress } from '../../../web/src/view/page-at-address.tsx';
import Panel from '../../../web/src/view/panel.tsx';
import type { RenderPage } from '../page-rendering.ts';

/** A page asks, draws what came, and may then ask more. More rounds than these mean that it never settles. */
const maxRounds = 12;

/**
 * A page, and the panel where the address opens one, as they are once all their answers have come. It is drawn without a browser, by the same code: what it asks goes to the
 * server, and it is drawn again until it asks nothing new. Charts are not in it, since they are drawn in the browser. One at
 * a time: pages share what they keep.
 */
export const renderPage: RenderPage = async (address, { url, cookie, now, fetch }) => {
  const { pathname, search, href, origin } = new URL(address, url);
  const ownFetch = globalThis.fetch;
  // Client and server share a processor here: compressing would only take time from both.
  const headers = { cookie, origin: url, 'accept-encoding': 'identity' };
  const fetchAsReader = (path: string, init: RequestInit = {}) =>
    (fetch ?? ownFetch)(new URL(path, url), {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...headers },
    });
  Object.assign(globalThis, { location: { pathname, search, href, origin, hash: '' }, fetch: fetchAsReader });
  if (now) vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await settled(
      address,
      <QueryClientProvider client={queryClient}>
        <SessionContext value={await loadSession()}>
          <PageAtAddress />
          {fromSearch(search).panel && <Panel />}
        </SessionContext>
      </QueryClientProvider>,
    );
  } finally {
    if (now) vi.useRealTimers();
    Object.assign(globalThis, { fetch: ownFetch });
    Reflect.deleteProperty(globalThis, 'location');
    queryClient.clear();
  }
};

async function settled(address: string, page: ReactNode): Promise<string> {
  for (let round = 0; round < maxRounds; round += 1) {
    const html = await drawn(page);
    const unasked = queryClient.getQueryCache().findAll({
      predicate: ({ state, options }) =>
        state.status === 'pending' && !('enabled' in options && options.enabled === false),
    });
    if (unasked.length === 0) return html;
    // A refusal is part of the page.
    await Promise.all(unasked.map((query) => query.fetch().catch(() => {})));
  }
  throw new Error(`${address} still asks after ${maxRounds} rounds.`);
}

async function drawn(page: ReactNode): Promise<string> {
  let failure: unknown;
  const { prelude } = await prerenderToNodeStream(page, {
    onError: (error) => {
      failure = error;
    },
  });
  if (failure !== undefined) throw failure;
  let html = '';
  for await (const piece of prelude) html += String(piece);
  return html;
}
