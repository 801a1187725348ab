export interface RetrySettings {
  readonly fetch: typeof fetch;
  /** How often a request is sent again. */
  readonly retries: number;
}

/** Too many requests; overloaded or starting; a proxy that found nobody. */
const worthRetrying = [429, 502, 503];
const firstWaitMs = 250;
const maxWaitMs = 60_000;

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
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, maxWaitMs) : undefined;
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

/** A request that Plumb refused, or could not answer. */
export class PlumbError extends Error {
  override readonly name = 'PlumbError';
  readonly status: number;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(status: number, detail: string, requestId: string | undefined) {
    super(detail);
    this.status = status;
    this.requestId = requestId;
  }
}

/** The body of a refused response. */
export async function errorOf(response: Response): Promise<PlumbError> {
  const text = await response.text().catch(() => '');
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new PlumbError(response.status, detailIn(text) ?? `Plumb answered with status ${response.status}.`, requestId);
}

/** A proxy in front of Plumb may answer with something else. */
function detailIn(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
}
