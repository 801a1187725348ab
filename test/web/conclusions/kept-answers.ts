import { setTimeout } from 'node:timers/promises';

/** Something that a page asked for, and what the server answered. */
export interface Exchange {
  readonly path: string;
  /** As JSON; undefined where nothing was sent. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** As JSON; undefined without a body. */
  readonly answer: unknown;
}

/**
 * How pages of one reader ask. All of it is told, and what they only look up, such as who is signed in and how far the data
 * reach, is asked once for all pages: nothing changes meanwhile.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, Promise<Exchange>>();

  fetching(onAnswer: (exchange: Exchange) => void): (url: URL, init: RequestInit) => Promise<Response> {
    // Pages put a function of their own in its place while they are drawn.
    const overHttp = globalThis.fetch;
    return async (url, init) => {
      const path = `${url.pathname}${url.search}`;
      const isLookUp = (init.method ?? 'GET') === 'GET';
      const exchange = await ((isLookUp && this.#kept.get(path)) || this.#ask(overHttp, url, init, isLookUp));
      onAnswer(exchange);
      const { status, headers, answer } = exchange;
      return new Response(answer === undefined ? null : JSON.stringify(answer), { status, headers });
    };
  }

  #ask(overHttp: typeof fetch, url: URL, init: RequestInit, isLookUp: boolean): Promise<Exchange> {
    const path = `${url.pathname}${url.search}`;
    const asking = patiently(overHttp, url, init).then(async (response): Promise<Exchange> => {
      const text = await response.text();
      const headers = new Headers(response.headers);
      // They are of the text as it was sent.
      for (const name of ['content-encoding', 'content-length']) headers.delete(name);
      return {
        path,
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
        status: response.status,
        headers,
        answer: text === '' ? undefined : JSON.parse(text),
      };
    });
    if (isLookUp) this.#kept.set(path, asking);
    return asking;
  }
}

/** How often something is asked that a busy service has no place for. */
const maxTries = 30;

/** On a busy machine a page would go on without what takes long. Here it waits, and asks until there is a place for it. */
async function patiently(overHttp: typeof fetch, url: URL, init: RequestInit): Promise<Response> {
  for (let times = 1; ; times += 1) {
    const response = await overHttp(url, { ...init, signal: null });
    if (response.status !== 503 || times === maxTries) return response;
    await response.body?.cancel();
    await setTimeout(1_000);
  }
}
