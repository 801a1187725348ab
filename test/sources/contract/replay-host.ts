import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Reply, refusedBy, sendReply } from '../../jobs/failing-answers.ts';
import type { SeededFaults } from '../../jobs/faults.ts';

/** A request as a provider sees it. */
export interface AskedRequest {
  readonly method: string;
  /** Below the address of the provider. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Of a POST, read as JSON. */
  readonly body: unknown;
}

export interface ReplayOptions {
  /** The provider's clock, in seconds since 1970. */
  readonly now: () => number;
  readonly answer: (asked: AskedRequest) => Reply;
  readonly faults?: SeededFaults | undefined;
  /** Called before each answer, with how many requests there were. The answer waits for what it returns. */
  readonly asked?: (requests: number) => unknown;
}

/** A provider on loopback that answers as a test says, and limits and fails as it is told. */
export class ReplayHost {
  readonly seen: AskedRequest[] = [];
  readonly #server: Server;

  private constructor({ now, answer, faults, asked: before }: ReplayOptions) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
      const { method = '', headers } = request;
      const asked = {
        method,
        path: pathname,
        query: searchParams,
        headers,
        body: text === '' ? null : JSON.parse(text),
      };
      this.seen.push(asked);
      await before?.(this.seen.length);
      const fault = faults?.next(`${method} ${request.url} ${text}`, 'rest');
      const reply = refusedBy(fault, now()) ?? answer(asked);
      // Where no page leads on by a link, none can lead in a circle.
      const isCircle = fault === 'page-loop' && reply.headers?.link !== undefined;
      const link = `<${request.url}>; rel="next"`;
      sendReply(response, isCircle ? { ...reply, headers: { ...reply.headers, link } } : reply, {
        now: now(),
        fault: fault === 'page-loop' ? undefined : fault,
      });
    });
  }

  static async start(options: ReplayOptions): Promise<ReplayHost> {
    const host = new ReplayHost(options);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
