import { errorOf } from './plumb-error.ts';

export interface RetrySettings {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly retries: number;
}

/** Too many requests; overloaded or starting; a proxy that found nobody. */
const worthRetrying = [429, 502, 503];
const firstWaitMs = 250;
const waitMostMs = 60_000;

/**
 * Sends a question, and sends it again where that helps: questions change nothing. The server says how long to wait; where it
 * does not, every wait is twice as long as the one before.
 */
export async function retriedRequest(
  { fetch: send, retries }: RetrySettings,
  url: string,
  init: RequestInit & { readonly signal: AbortSignal | null },
): Promise<Response> {
  for (let sent = 0; ; sent += 1) {
    const isLast = sent >= retries;
    const waitMs = firstWaitMs * 2 ** sent;
    let response: Response;
    try {
      response = await send(url, init);
    } catch (error) {
      if (isLast || init.signal?.aborted) throw error;
      await pause(waitMs, init.signal);
      continue;
    }
    if (response.ok) return response;
    if (isLast || !worthRetrying.includes(response.status)) throw await errorOf(response);
    await response.body?.cancel();
    await pause(retryAfterMs(response) ?? waitMs, init.signal);
  }
}

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, waitMostMs) : undefined;
}

function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
