import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type HostOptions, HostRequests } from '../../../src/sources/http/host-requests.ts';
import { SourceProblem } from '../../../src/sources/source.ts';
import { virtualClock } from '../../jobs/toy-sync.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
}

/** What the host answers to its n-th request. */
export type Script = (asked: Asked, number: number, response: ServerResponse) => Said | undefined;

/** A host on loopback that says what a test wants it to, and remembers what it was asked. */
export class ScriptedHost {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  private constructor(script: Script) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const asked = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
        this.asked.push(asked);
        const said = script(asked, this.asked.length, response);
        if (said) answer(response, said);
      });
    });
  }

  static async start(script: Script): Promise<ScriptedHost> {
    const host = new ScriptedHost(script);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A host that a test closes when it ends. */
export async function scriptedHost(script: Script): Promise<ScriptedHost> {
  const started = await ScriptedHost.start(script);
  onTestFinished(() => started.close());
  return started;
}

/** What the owner is told. */
export async function problemOf(asked: Promise<unknown>): Promise<SourceProblem> {
  const problem = await asked.catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(SourceProblem);
  return problem as SourceProblem;
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = {} }: Said): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

/** Requests to it in virtual time, so that waits are counted and not waited for. */
export function requestsTo(baseUrl: string, options: Partial<HostOptions> = {}) {
  const clock = virtualClock();
  const requests = new HostRequests({
    baseUrl,
    authorization: { authorization: 'Bearer secret-token' },
    mayBePrivate: () => true,
    signal: new AbortController().signal,
    clock,
    random: () => 1,
    ...options,
  });
  return { requests, clock };
}
