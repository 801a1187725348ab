import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readJson } from '../../bounded-json.ts';
import { checkedLookup, type PrivateHosts, RefusedHost, refuseLiteralAddress } from '../../outgoing/checked-hosts.ts';
import { SourceProblem } from '../source.ts';

export interface ConnectionOptions {
  readonly mayBePrivate: PrivateHosts;
  readonly maxBodyBytes?: number;
  /** Without a byte. */
  readonly idleMs?: number;
  /** From the request to the last byte. */
  readonly exchangeMs?: number;
}

export interface HostRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** No answer, or half of one: another try may bring it. */
export class BrokenExchange extends Error {}

const defaultBodyBytes = 32 * 1024 * 1024;
const defaultIdleMs = 30_000;
const defaultExchangeMs = 120_000;
const maxHostSockets = 8;

/**
 * Connections to hosts, kept open between requests. The address that a name has is looked at where it is resolved, so
 * that a name cannot mean one address when it is checked and another one when it is connected to.
 */
export class HostConnections {
  readonly #options: Required<ConnectionOptions>;
  readonly #lookup: LookupFunction;
  readonly #http = new HttpAgent({ keepAlive: true, maxSockets: maxHostSockets });
  readonly #https = new HttpsAgent({ keepAlive: true, maxSockets: maxHostSockets });

  constructor({
    mayBePrivate,
    maxBodyBytes = defaultBodyBytes,
    idleMs = defaultIdleMs,
    exchangeMs = defaultExchangeMs,
  }: ConnectionOptions) {
    this.#options = { mayBePrivate, maxBodyBytes, idleMs, exchangeMs };
    this.#lookup = checkedLookup(mayBePrivate);
  }

  async exchange(request: HostRequest, signal: AbortSignal): Promise<RawAnswer> {
    const { hostname, host } = request.url;
    try {
      refuseLiteralAddress(hostname, this.#options.mayBePrivate);
    } catch (error) {
      throw hostProblem(error) ?? error;
    }
    const sent = this.#prepare(request, signal);
    const late = setTimeout(() => sent.destroy(new Error('the answer took too long')), this.#options.exchangeMs);
    try {
      return await this.#receive(await responseTo(sent, request.body), host);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceProblem) throw error;
      throw (
        hostProblem(error) ??
        certificateProblem(error, host) ??
        new BrokenExchange(`no whole answer from ${host}`, { cause: error })
      );
    } finally {
      clearTimeout(late);
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #prepare({ url, method, headers }: HostRequest, signal: AbortSignal): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const options = { method, headers, signal, lookup: this.#lookup, agent: isSecure ? this.#https : this.#http };
    const request = (isSecure ? httpsRequest : httpRequest)(url, options);
    request.setTimeout(this.#options.idleMs, () => request.destroy(new Error('nothing came for too long')));
    return request;
  }

  async #receive(response: IncomingMessage, host: string): Promise<RawAnswer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const collect = async (incoming: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of incoming) {
        bytes += chunk.length;
        if (bytes > this.#options.maxBodyBytes) {
          throw new SourceProblem(
            `An answer of ${host} has more than ${this.#options.maxBodyBytes} bytes`,
            'Nothing of it was kept. Ask the administrator of that host, or of a proxy in front of it.',
          );
        }
        chunks.push(chunk);
      }
    };
    if (response.headers['content-encoding'] === 'gzip') await pipeline(response, createGunzip(), collect);
    else await pipeline(response, collect);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks) };
  }
}

function hostProblem(error: unknown): SourceProblem | undefined {
  if (!(error instanceof RefusedHost)) return undefined;
  return new SourceProblem(
    error.message,
    error.range === 'link-local'
      ? 'Give a host outside this machine’s own link.'
      : 'The operator of this server has to name the host in PLUMB_SOURCE_HOSTS, or add the source by the command line.',
  );
}

function responseTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) named[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return named;
}

/** A certificate does not become good by another try. */
function certificateProblem(error: unknown, host: string): SourceProblem | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS_ALTNAME/.test(code)) return undefined;
  return new SourceProblem(
    `The certificate of ${host} is not trusted (${code})`,
    'If your company has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS and start Plumb again.',
  );
}

/** Enough of an answer to know what it is about. */
export const beginningOf = ({ body }: Pick<RawAnswer, 'body'>): string => body.toString('utf8', 0, 4_096);

const jsonLimits = { depth: 100, values: 4_000_000 };

type AnswerBody = { readonly value: unknown } | 'unreadable';

/** JSON where the answer says that it is some, and text elsewhere. What was cut is no JSON. */
export async function bodyOf({ status, headers, body }: RawAnswer, asText = false): Promise<AnswerBody> {
  if (status === 204 || status === 304 || body.length === 0) {
    return isJson(headers) && status === 200 ? 'unreadable' : { value: null };
  }
  const text = body.toString('utf8');
  if (asText || !isJson(headers)) return { value: text };
  const read = await readJson(text, jsonLimits);
  return 'value' in read ? { value: read.value } : 'unreadable';
}

const isJson = (headers: Readonly<Record<string, string>>): boolean => /[/+]json\b/.test(headers['content-type'] ?? '');

/** The address of another page in a Link header: `<https://…?page=2>; rel="next"`. */
export function linkOf(header: string | undefined, relation: 'next' | 'last'): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const words = parameters.split(';').map((parameter) => parameter.trim().split(/[^\w-]+/));
    if (words.some(([name, ...relations]) => name === 'rel' && relations.includes(relation))) return address;
  }
  return undefined;
}

/** Whether a next page is the page itself, or one with a number that is no larger: reading on would never end. */
export function leadsBack(asked: URL, next: URL): boolean {
  if (asked.pathname !== next.pathname) return false;
  if (asked.search === next.search) return true;
  const [from, to] = [asked, next].map(({ searchParams }) => Number(searchParams.get('page') ?? 1));
  return next.searchParams.has('page') && from !== undefined && to !== undefined && to <= from;
}
