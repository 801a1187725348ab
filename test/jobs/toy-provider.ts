import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitLeft, type Reply, refusedBy, sendReply } from './failing-answers.ts';
import type { Fault, SeededFaults } from './faults.ts';
import { moveOn, newestFirst, type ToyRepository, toyNow } from './toy-world.ts';

/** As the provider calls itself in its links. Nobody answers there: links are asked at base_url. */
export const toyAddress = 'https://api.toy.example';
export const toyToken = 'toy-token-of-nobody';

export interface ToyOptions {
  readonly faults?: SeededFaults;
  /** Called before each answer, with the number of the request. The answer waits for what it returns. */
  readonly asked?: (request: number) => unknown;
  /** Repositories change once while their second page is read. */
  readonly isMoving?: boolean;
}

/** A code host on loopback: pages by number with links, pages by cursor in GraphQL, limits, ETags, and faults. */
export class ToyProvider {
  readonly world: readonly ToyRepository[];
  readonly #options: ToyOptions;
  readonly #server: Server;
  readonly #moved = new Set<string>();
  /** Those that were answered well count for the client; every one counts here. */
  requests = 0;
  unchanged = 0;
  readonly tokens = new Set<string | undefined>();

  private constructor(world: readonly ToyRepository[], options: ToyOptions) {
    this.world = world;
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(world: readonly ToyRepository[], options: ToyOptions = {}): Promise<ToyProvider> {
    const provider = new ToyProvider(world, options);
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const answerable = this.#options.asked?.(this.requests);
    this.tokens.add(request.headers.authorization);
    const url = new URL(request.url ?? '/', this.baseUrl);
    const to = url.pathname.endsWith('/graphql') ? 'graphql' : 'rest';
    const body = await textOf(request);
    await answerable;
    const fault = this.#options.faults?.next(`${url.pathname}${url.search}${body}`, to);
    const reply = to === 'graphql' ? this.#graphql(body, fault) : this.#rest(url, request, fault);
    sendReply(response, refusedBy(fault, toyNow) ?? reply, { now: toyNow, fault });
  }

  #rest(url: URL, request: IncomingMessage, fault: Fault | undefined): Reply {
    if (request.headers.authorization !== `Bearer ${toyToken}`) return { status: 401, body: { message: 'who?' } };
    const [, repository, list] = /^\/api\/repos(?:\/(.+)\/(\w+))?$/.exec(url.pathname) ?? [];
    if (repository === undefined)
      return tagged(
        this.world.map(({ name }) => ({ name })),
        request,
        {},
      );
    const found = this.world.find(({ name }) => name === repository);
    if (!found || list !== 'pulls') return { status: 404, body: { message: 'gone' } };
    const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name) ?? 1)) as [
      number,
      number,
    ];
    // Whatever is asked for twice because of a fault has moved only once.
    if (page === 2 && this.#options.isMoving && fault === undefined && !this.#moved.has(repository)) {
      this.#moved.add(repository);
      moveOn(found, toyNow + 60);
    }
    const things = newestFirst(found.pullRequests);
    const next = new URL(`${toyAddress}/repos/${repository}/pulls?per_page=${size}`);
    next.searchParams.set('page', String(fault === 'page-loop' ? page : page + 1));
    const headers = page * size < things.length ? { link: `<${next}>; rel="next", <${toyAddress}/x>; rel="last"` } : {};
    const reply = tagged(things.slice((page - 1) * size, page * size), request, headers);
    if (reply.status === 304) this.unchanged += 1;
    return reply;
  }

  #graphql(text: string, fault: Fault | undefined): Reply {
    const { variables } = JSON.parse(text) as {
      variables: { repository: string; first: number; after: string | null };
    };
    const found = this.world.find(({ name }) => name === variables.repository);
    if (!found) return { status: 200, body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] } };
    const things = newestFirst(found.issues);
    const from =
      variables.after === null ? 0 : things.findIndex(({ number }) => String(number) === variables.after) + 1;
    const nodes = things.slice(from, from + variables.first);
    const endCursor =
      fault === 'page-loop' && variables.after !== null ? variables.after : String(nodes.at(-1)?.number);
    const pageInfo = { hasNextPage: from + variables.first < things.length, endCursor };
    const rateLimit = { limit: 5_000, remaining: 4_000, resetAt: new Date((toyNow + 600) * 1_000).toISOString() };
    return {
      status: 200,
      body: { data: { rateLimit, repository: { issues: { totalCount: things.length, pageInfo, nodes } } } },
    };
  }
}

function tagged(body: unknown, request: IncomingMessage, headers: Readonly<Record<string, string>>): Reply {
  const etag = `"${createHash('sha1').update(JSON.stringify(body)).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag, ...limitLeft(4_000, toyNow) } };
  return { status: 200, headers: { etag, ...limitLeft(4_000, toyNow), ...headers }, body };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
