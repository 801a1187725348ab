import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Reply, refusedBy, sendReply } from '../../../jobs/failing-answers.ts';
import type { Fault, SeededFaults } from '../../../jobs/faults.ts';
import type { ReplayedApp } from './app.ts';
import { graphqlAnswer } from './graphql.ts';
import { type RestAnswer, restAnswer } from './rest.ts';
import type { Fields, World } from './world.ts';

/** A request as the server saw it, and what it answered. */
export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Of GraphQL. */
  readonly query?: string;
  readonly variables?: Fields;
  readonly status: number;
}

export interface ReplayOptions {
  /** A host without GraphQL answers 404. */
  readonly hasGraphql?: boolean;
  /** Answers in place of the world, where it gives anything. */
  readonly instead?: (request: Omit<SeenRequest, 'status'>) => Reply | undefined;
  /** Called after each answer: the world can change while it is read. */
  readonly answered?: (request: SeenRequest) => void;
  /** What goes wrong on the way. */
  readonly faults?: SeededFaults;
  /** Its clock, in seconds since 1970. */
  readonly now?: () => number;
  /** Requests come from an app in place of an account. */
  readonly app?: ReplayedApp;
}

/** GitHub on loopback over a world that a test has made: pages, ETags and redirects as the provider has them. */
export interface ReplayServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

export async function startReplay(world: World, options: ReplayOptions = {}): Promise<ReplayServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      ...(body !== undefined && { query: String(body.query), variables: (body.variables ?? {}) as Fields }),
    };
    const { instead, faults, answered, now = () => Date.now() / 1_000 } = options;
    const to = asked.path === '/graphql' ? 'graphql' : 'rest';
    const fault = faults?.next(`${asked.path} ${JSON.stringify(body)}`, to);
    const refused = instead?.(asked) ?? refusedBy(fault, now());
    const reply = refused ?? loopedBy(fault, asked, await answer(world, request, body, options).catch(mistaken));
    sendReply(response, reply, { now: now(), fault });
    const noted = { ...asked, status: reply.status };
    seen.push(noted);
    if (fault === undefined) answered?.(noted);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A mistake of a test's world: answered so that it is told and not tried again. */
const mistaken = (error: unknown): Reply => {
  console.error(error);
  return { status: 422, body: { message: String(error) } };
};

async function bodyOf(request: IncomingMessage): Promise<Fields | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(
  world: World,
  request: IncomingMessage,
  body: Fields | undefined,
  { hasGraphql = true, app }: ReplayOptions,
): Promise<Reply> {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`);
  const { authorization } = request.headers;
  const ofApp = app?.answer({ method: request.method ?? '', path: url.pathname, authorization });
  if (ofApp) return ofApp;
  const refused = app ? app.refusal(authorization) : refusalOf(authorization);
  if (refused) return refused;
  if (url.pathname === '/graphql') {
    if (!hasGraphql) return { status: 404, body: { message: 'Not Found' } };
    return { status: 200, body: await graphqlAnswer(world, String(body?.query), (body?.variables ?? {}) as Fields) };
  }
  const reply = paged(restAnswer(world, url.pathname, url.searchParams), url);
  return reply.status === 200 ? conditional(reply, request) : reply;
}

const refusalOf = (authorization: string | undefined): Reply | undefined =>
  authorization === 'Bearer replay-token' ? undefined : { status: 401, body: { message: 'Bad credentials' } };

/** Cut into pages, with the Link header that leads on. */
function paged(found: RestAnswer, url: URL): Reply {
  if ('status' in found) return { status: found.status, body: { message: 'Not Found' } };
  if ('movedTo' in found) return { status: 301, headers: { location: `${url.origin}${found.movedTo}${url.search}` } };
  if ('object' in found) return { status: 200, body: found.object };
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100);
  const page = Number(url.searchParams.get('page') ?? 1);
  const items = found.list.slice((page - 1) * size, page * size);
  const last = Math.ceil(found.list.length / size);
  const linkTo = (number: number) => {
    const target = new URL(url);
    target.searchParams.set('page', String(number));
    return target.href;
  };
  const link = page < last ? { link: `<${linkTo(page + 1)}>; rel="next", <${linkTo(last)}>; rel="last"` } : {};
  const body = found.field ? { total_count: found.total ?? found.list.length, [found.field]: items } : items;
  return { status: 200, body, headers: link };
}

function conditional(reply: Reply, request: IncomingMessage): Reply {
  const etag = `"${createHash('sha256').update(JSON.stringify(reply.body)).digest('hex')}"`;
  const headers = { ...reply.headers, etag };
  return request.headers['if-none-match'] === etag ? { status: 304, headers } : { ...reply, headers };
}

/** A page whose next one is the page itself. Of GraphQL only the pages of pull requests: those below them are few. */
function loopedBy(fault: Fault | undefined, { path, variables }: Omit<SeenRequest, 'status'>, reply: Reply): Reply {
  if (fault !== 'page-loop') return reply;
  if (reply.headers?.link) return { ...reply, headers: { ...reply.headers, link: `<${path}>; rel="next"` } };
  const { data } = (reply.body ?? {}) as { data?: { repository?: { pullRequests?: { pageInfo: Fields } } } };
  const pages = data?.repository?.pullRequests;
  if (!pages || typeof variables?.after !== 'string') return reply;
  const pageInfo = { hasNextPage: true, endCursor: variables.after };
  return { ...reply, body: { data: { ...data, repository: { pullRequests: { ...pages, pageInfo } } } } };
}
