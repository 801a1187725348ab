import { setMaxListeners } from 'node:events';
import type { Json } from '../../catalogue/record.ts';
import {
  type Answer,
  type Asking,
  type GraphqlAnswer,
  type GraphqlAsking,
  GraphqlMissing,
  type Requests,
  TooMuchAtOnce,
} from '../host-port.ts';
import { SourceProblem } from '../source.ts';
import { type Clock, systemClock } from './clock.ts';
import {
  BrokenExchange,
  bodyOf,
  type ConnectionOptions,
  HostConnections,
  type HostRequest,
  leadsBack,
  linkOf,
  type RawAnswer,
} from './host-connections.ts';
import {
  graphqlLimitOf,
  HostLimits,
  type Interface,
  isLimited,
  type KnownLimit,
  limitOf,
  providerTime,
  RequestPace,
} from './host-rate-limits.ts';
import {
  leadingInCircle,
  limitedForLong,
  maxTries,
  pauseMs,
  problemOf,
  RetryBudget,
  unavailable,
  unreadable,
} from './refused-answers.ts';
import { type AddressSettings, type RequestAddress, SourceAddresses } from './source-addresses.ts';

export interface HostOptions extends AddressSettings, ConnectionOptions {
  /** Headers that carry the token. They go to `base_url` only. */
  readonly authorization: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The share of the provider's limit that is left to the company's other tools. */
  readonly keepFree?: number;
  /** The retries that the stream being read just now may use. */
  readonly budget?: () => RetryBudget;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const defaultKeepFree = 0.2;
const maxRedirects = 5;
const requestHeaders = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'plumb' };

/** What one try of a request has brought. */
type Try<T> = { readonly good: T } | { readonly again: SourceProblem; readonly isLimited?: true };

/** Asks the host of a source. Answers are good ones: limits are waited for, failures tried again, strangers refused. */
export class HostRequests implements Requests {
  readonly #addresses: SourceAddresses;
  readonly #connections: HostConnections;
  readonly #authorization: Readonly<Record<string, string>>;
  readonly #signal: AbortSignal;
  readonly #budget: () => RetryBudget;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #pace: RequestPace;
  readonly #limits: HostLimits;

  constructor(options: HostOptions) {
    const { clock = systemClock, random = Math.random, keepFree = defaultKeepFree } = options;
    const ownBudget = new RetryBudget();
    this.#addresses = new SourceAddresses(options);
    this.#connections = new HostConnections(options);
    this.#authorization = options.authorization;
    this.#signal = options.signal;
    // Any number of requests may wait at a time, and all of them listen.
    setMaxListeners(0, options.signal);
    this.#budget = options.budget ?? (() => ownBudget);
    this.#clock = clock;
    this.#random = random;
    this.#pace = new RequestPace(clock);
    this.#limits = new HostLimits(this.#pace, clock, keepFree);
  }

  /** What is left of the provider's limits, as far as it says so. */
  get limits(): readonly KnownLimit[] {
    return this.#limits.known();
  }

  close(): void {
    this.#connections.close();
  }

  get(path: string, asking: Asking = {}): Promise<Answer> {
    const address = this.#addresses.of(path, asking.query);
    return this.#persist(() => this.#get(address, asking));
  }

  async graphql(
    query: string,
    variables: Readonly<Record<string, Json>>,
    { isSmallest }: GraphqlAsking = {},
  ): Promise<GraphqlAnswer> {
    const { url } = this.#addresses.graphql();
    const body = JSON.stringify({ query, variables });
    const headers = { ...requestHeaders, 'content-type': 'application/json', ...this.#authorization };
    let timeouts = 0;
    const ask = async (): Promise<Try<GraphqlAnswer>> => {
      const raw = await this.#exchange('graphql', { method: 'POST', url, headers, body });
      if (raw === undefined) return { again: unavailable(url.host, undefined) };
      if (raw.status === 404) throw new GraphqlMissing(`${url.host} has no GraphQL`, { isWhole: true });
      const result = await this.#readGraphql(raw, url.host);
      if (result !== 'too-long') return result;
      // An outage answers so once or twice; a query that takes too long does so every time.
      timeouts += 1;
      if (timeouts > 1 && !isSmallest) throw new TooMuchAtOnce(`${url.host} took too long`);
      return { again: unavailable(url.host, raw.status) };
    };
    return this.#persist(ask);
  }

  async #readGraphql(raw: RawAnswer, host: string): Promise<Try<GraphqlAnswer> | 'too-long'> {
    const at = this.#timeOf(raw);
    if (raw.status === 502 || raw.status === 504) return 'too-long';
    if (raw.status !== 200) return this.#refused('graphql', raw, host);
    const body = await bodyOf(raw);
    if (body === 'unreadable') return { again: unreadable(host) };
    const { data } = (body.value ?? {}) as { readonly data?: Json };
    const said = { ...limitOf(raw.headers), ...graphqlLimitOf(data) };
    this.#limits.note('graphql', said, at);
    switch (failureOf(body.value)) {
      case 'limited':
        this.#limits.noteRefused('graphql', raw, said, at);
        return { again: limitedForLong(host), isLimited: true };
      case 'too-much':
        throw new TooMuchAtOnce(`${host} gives less at once`);
      case 'too-long':
        return 'too-long';
      case 'missing':
        throw new GraphqlMissing(`${host} lacks fields`, { isWhole: false });
      case 'forbidden':
        throw problemOf(403, host);
      case 'broken':
        return { again: unavailable(host, raw.status) };
      case undefined:
        return { good: { data: data ?? null, at } };
    }
  }

  async #get(asked: RequestAddress, asking: Asking): Promise<Try<Answer>> {
    let address = asked;
    let movedTo: string | undefined;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const raw = await this.#exchange('rest', {
        method: 'GET',
        url: address.url,
        headers: headersFor(address, asking, this.#authorization),
      });
      if (raw === undefined) return { again: unavailable(address.url.host, undefined) };
      const location = isRedirect(raw.status) ? raw.headers.location : undefined;
      if (location === undefined) return this.#read(raw, address, asking, movedTo);
      address = this.#addresses.linked(location, address.url);
      if (raw.status === 301 || raw.status === 308) movedTo = this.#addresses.pathOf(address);
    }
    throw new SourceProblem(
      `${asked.url.host} leads from one address to the next without end`,
      'Ask the administrator of that host, or of a proxy in front of it.',
    );
  }

  async #read(
    raw: RawAnswer,
    address: RequestAddress,
    { alsoGood = [], asText }: Asking,
    movedTo: string | undefined,
  ): Promise<Try<Answer>> {
    const { status, headers } = raw;
    const { host } = address.url;
    const at = this.#timeOf(raw);
    if (address.isOwn) this.#limits.note('rest', limitOf(headers), at);
    const isGood = (status >= 200 && status < 300) || status === 304;
    // A limit may have the status of a refusal, and is none.
    if (!isGood && (!alsoGood.includes(status) || isLimited(raw))) return this.#refused('rest', raw, host);
    const body = await bodyOf(raw, asText);
    if (body === 'unreadable' && isGood) return { again: unreadable(host) };
    const link = linkOf(headers.link, 'next');
    const next = link === undefined ? undefined : this.#addresses.linked(link, address.url);
    if (next && leadsBack(address.url, next.url)) return { again: leadingInCircle(host) };
    const good: Answer = {
      status,
      body: body === 'unreadable' ? null : body.value,
      isUnchanged: status === 304,
      at,
      headers,
      ...(headers.etag === undefined ? {} : { etag: headers.etag }),
      ...(next === undefined ? {} : { nextPage: this.#addresses.pathOf(next) }),
      ...(movedTo === undefined ? {} : { movedTo }),
    };
    return { good };
  }

  /** Outages pass and limits end; every other refusal is for the owner to put right. */
  #refused(to: Interface, raw: RawAnswer, host: string): Try<never> {
    if (isLimited(raw)) {
      this.#limits.noteRefused(to, raw, limitOf(raw.headers), this.#timeOf(raw));
      return { again: limitedForLong(host), isLimited: true };
    }
    if (raw.status >= 500 || raw.status === 408) return { again: unavailable(host, raw.status) };
    throw problemOf(raw.status, host);
  }

  /** Tries until it goes well or the retries are used up. */
  async #persist<T>(ask: () => Promise<Try<T>>): Promise<T> {
    const budget = this.#budget();
    for (let tries = 1; ; tries += 1) {
      const result = await ask();
      if ('good' in result) {
        budget.earn();
        this.#pace.noteSuccess();
        return result.good;
      }
      if (tries >= maxTries || !budget.take()) throw result.again;
      // Who is limited waits for as long as the provider says, at the gate.
      if (!result.isLimited) await this.#clock.sleep(pauseMs(tries, this.#random), this.#signal);
    }
  }

  async #exchange(to: Interface, request: HostRequest): Promise<RawAnswer | undefined> {
    const leave = await this.#pace.enter(to, this.#signal);
    try {
      return await this.#connections.exchange(request, this.#signal);
    } catch (error) {
      if (error instanceof BrokenExchange) return undefined;
      throw error;
    } finally {
      leave();
    }
  }

  #timeOf({ headers }: RawAnswer): number {
    return providerTime(headers) ?? Math.floor(this.#clock.now() / 1_000);
  }
}

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

function headersFor(
  { isOwn }: RequestAddress,
  { headers, etag, isAnonymous }: Asking,
  authorization: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...requestHeaders,
    ...(isOwn ? headers : {}),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(isOwn && !isAnonymous ? authorization : {}),
  };
}

/** What the `errors` of an answer with status 200 mean. */
type GraphqlFailure = 'limited' | 'too-much' | 'too-long' | 'missing' | 'forbidden' | 'broken';

const meanings: readonly (readonly [RegExp, GraphqlFailure])[] = [
  [/^RATE_LIMITED$/, 'limited'],
  [/^(MAX_NODE_LIMIT_EXCEEDED|RESOURCE_LIMITS_EXCEEDED)$/, 'too-much'],
  [/^(undefinedField|undefinedType|argumentNotAccepted|selectionMismatch)$/, 'missing'],
  [/^(FORBIDDEN|INSUFFICIENT_SCOPES)$/, 'forbidden'],
];

/** What is gone is null in the data, which is an answer. */
const harmless = /^NOT_FOUND$/;

/** The worst of the errors, if any matters. One without a type is how GitHub says that a query took it too long. */
export function failureOf(body: unknown): GraphqlFailure | undefined {
  if (typeof body !== 'object' || body === null) return 'broken';
  const { data, errors = [] } = body as { readonly data?: unknown; readonly errors?: unknown };
  if (!Array.isArray(errors)) return 'broken';
  const types = errors.map(typeOf).filter((type) => type === undefined || !harmless.test(type));
  for (const [pattern, failure] of meanings) {
    if (types.some((type) => type !== undefined && pattern.test(type))) return failure;
  }
  if (types.length > 0) return types.includes(undefined) ? 'too-long' : 'broken';
  return data === undefined || (data === null && errors.length === 0) ? 'broken' : undefined;
}

function typeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { type, extensions } = error as { readonly type?: unknown; readonly extensions?: { readonly code?: unknown } };
  const named = type ?? extensions?.code;
  return typeof named === 'string' ? named : undefined;
}
