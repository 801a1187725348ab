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
import type { TokenIssuer } from '../token-issuer.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Credentials, givenCredentials, IssuedCredentials } from './credentials.ts';
import {
  bodyOf,
  type ConnectionOptions,
  HostConnections,
  leadsBack,
  linkOf,
  type RawAnswer,
} from './host-connections.ts';
import {
  endpointOf,
  graphqlLimitOf,
  HostLimits,
  isLimited,
  type KnownLimit,
  limitOf,
  providerTime,
  RequestPace,
} from './host-rate-limits.ts';
import {
  failureOf,
  leadingAway,
  leadingInCircle,
  limitedForLong,
  problemOf,
  RetryBudget,
  unavailable,
  unreadable,
} from './refused-answers.ts';
import { type AddressSettings, type RequestAddress, SourceAddresses } from './source-addresses.ts';
import { type Again, TriedExchanges, type Try } from './tried-exchanges.ts';

export interface HostOptions extends AddressSettings, ConnectionOptions {
  /** Headers that carry the token. They go to `base_url` only. */
  readonly authorization: Readonly<Record<string, string>>;
  /** Issues the tokens that go there in their place. */
  readonly tokenIssuer?: TokenIssuer | undefined;
  readonly signal: AbortSignal;
  /** The share of the provider's limit that is left to the company's other tools. */
  readonly keepFree?: number;
  /** Each endpoint has a limit of its own. */
  readonly hasEndpointLimits?: boolean;
  /** The retries that the stream being read just now may use. */
  readonly budget?: () => RetryBudget;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const defaultKeepFree = 0.2;
const maxRedirects = 5;
const requestHeaders = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'plumb' };

/** Asks the host of a source. Answers are good ones: limits are waited for, failures tried again, strangers refused. */
export class HostRequests implements Requests {
  readonly #addresses: SourceAddresses;
  readonly #connections: HostConnections;
  readonly #credentials: Credentials;
  readonly #exchanges: TriedExchanges;
  readonly #clock: Clock;
  readonly #limits: HostLimits;
  readonly #hasEndpointLimits: boolean;

  constructor(options: HostOptions) {
    const { clock = systemClock, random = Math.random, signal, authorization, tokenIssuer } = options;
    const { keepFree = defaultKeepFree, hasEndpointLimits = false } = options;
    const ownBudget = new RetryBudget();
    const { budget = () => ownBudget } = options;
    const pace = new RequestPace(clock);
    this.#addresses = new SourceAddresses(options);
    this.#connections = new HostConnections(options);
    // Any number of requests may wait at a time, and all of them listen.
    setMaxListeners(0, signal);
    this.#clock = clock;
    this.#exchanges = new TriedExchanges({ connections: this.#connections, pace, signal, budget, clock, random });
    this.#limits = new HostLimits(pace, clock, keepFree, { hasEndpointLimits });
    this.#hasEndpointLimits = hasEndpointLimits;
    this.#credentials = tokenIssuer ? this.#issuedBy(tokenIssuer) : givenCredentials(() => authorization);
  }

  #issuedBy(issuer: TokenIssuer): Credentials {
    const address = this.#addresses.of(issuer.path);
    const asking = { alsoGood: issuerRefusals };
    return new IssuedCredentials(issuer, this.#clock, (credentials) =>
      this.#exchanges.persist(() => this.#ask(address, asking, { body: '{}', credentials, limitedAs: tokenLimit })),
    );
  }

  /** The rest of the provider's limits, as far as the provider says so. */
  get limits(): readonly KnownLimit[] {
    return this.#limits.known();
  }

  /** As in addresses, with the port where that is unusual. */
  get name(): string {
    return this.#addresses.host;
  }

  close(): void {
    this.#connections.close();
  }

  get(path: string, asking: Asking = {}): Promise<Answer> {
    const address = this.#addresses.of(path, asking.query);
    return this.#exchanges.persist(() => this.#ask(address, asking));
  }

  post(path: string, body: Json, asking: Asking = {}): Promise<Answer> {
    const address = this.#addresses.of(path, asking.query);
    const text = JSON.stringify(body);
    return this.#exchanges.persist(() => this.#ask(address, asking, { body: text }));
  }

  async graphql(
    query: string,
    variables: Readonly<Record<string, Json>>,
    { isSmallest }: GraphqlAsking = {},
  ): Promise<GraphqlAnswer> {
    const { url } = this.#addresses.graphql();
    const body = JSON.stringify({ query, variables });
    const headers = { ...requestHeaders, 'content-type': 'application/json' };
    let timeouts = 0;
    const ask = async (): Promise<Try<GraphqlAnswer>> => {
      const raw = await this.#exchanges.exchange('graphql', this.#credentials, (authorization) => ({
        method: 'POST',
        url,
        body,
        headers: { ...headers, ...authorization },
      }));
      if ('again' in raw) return raw;
      if (raw.status === 404) throw new GraphqlMissing(`${url.host} has no GraphQL`, { isWhole: true });
      const result = await this.#readGraphql(raw, url.host);
      if (result !== 'too-long') return result;
      // An outage answers so once or twice; a query that takes too long does so every time.
      timeouts += 1;
      if (timeouts > 1 && !isSmallest) throw new TooMuchAtOnce(`${url.host} took too long`);
      return { again: unavailable(url.host, raw.status) };
    };
    return this.#exchanges.persist(ask);
  }

  async #readGraphql(raw: RawAnswer, host: string): Promise<Try<GraphqlAnswer> | 'too-long'> {
    const at = this.#timeOf(raw);
    if (raw.status === 502 || raw.status === 504) return 'too-long';
    const body = await bodyOf(raw);
    // A provider may tell a limit with the status of a wrong question.
    const isLimit = raw.status === 400 && body !== 'unreadable' && failureOf(body.value) === 'limited';
    if (raw.status !== 200 && !isLimit) return this.#refused('graphql', raw, host);
    if (body === 'unreadable') return { again: unreadable(host) };
    const { data } = (body.value ?? {}) as { readonly data?: Json };
    const said = { ...limitOf(raw.headers, at), ...graphqlLimitOf(data) };
    this.#limits.note('graphql', said, at);
    switch (failureOf(body.value)) {
      case 'limited':
        this.#limits.noteRefused('graphql', raw, said, at);
        return { again: limitedForLong(host), atOnce: true };
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

  async #ask(asked: RequestAddress, asking: Asking, sent: SentBeside = {}): Promise<Try<Answer>> {
    const { body, credentials = this.#credentials } = sent;
    let address = asked;
    let movedTo: string | undefined;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const { isOwn, url } = address;
      const to = sent.limitedAs ?? this.#limitedAs(url);
      // The body is for the source's own host alone, like the token.
      if (body !== undefined && !isOwn) throw leadingAway(asked.url.host);
      const raw = await this.#exchanges.exchange(
        to,
        isOwn && !asking.isAnonymous ? credentials : nobody,
        (authorization) => ({
          ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
          url,
          headers: {
            ...headersFor(isOwn, asking),
            ...authorization,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
        }),
      );
      if ('again' in raw) return raw;
      const location = isRedirect(raw.status) ? raw.headers.location : undefined;
      if (location === undefined) return this.#read(raw, { to, address, asking, movedTo });
      address = this.#addresses.linked(location, address.url);
      if (raw.status === 301 || raw.status === 308) movedTo = this.#addresses.pathOf(address);
    }
    throw new SourceProblem(
      `${asked.url.host} leads from one address to the next without end`,
      'Ask the administrator of that host, or of a proxy in front of it.',
    );
  }

  #limitedAs(url: URL): string {
    return this.#hasEndpointLimits ? endpointOf(url) : 'rest';
  }

  async #read(raw: RawAnswer, { to, address, asking, movedTo }: AskedAddress): Promise<Try<Answer>> {
    const { status, headers } = raw;
    const { alsoGood = [], asText } = asking;
    const { host } = address.url;
    const at = this.#timeOf(raw);
    if (address.isOwn && to !== tokenLimit) this.#limits.note(to, limitOf(headers, at), at);
    const isGood = (status >= 200 && status < 300) || status === 304;
    // A limit may have the status of a refusal, and is none.
    if (!isGood && (!alsoGood.includes(status) || isLimited(raw))) return this.#refused(to, raw, host);
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
  #refused(to: string, raw: RawAnswer, host: string): Again {
    if (isLimited(raw)) {
      const at = this.#timeOf(raw);
      this.#limits.noteRefused(to, raw, limitOf(raw.headers, at), at);
      return { again: limitedForLong(host), atOnce: true };
    }
    if (raw.status >= 500 || raw.status === 408) return { again: unavailable(host, raw.status) };
    throw problemOf(raw.status, host);
  }

  #timeOf({ headers }: RawAnswer): number {
    return providerTime(headers) ?? Math.floor(this.#clock.now() / 1_000);
  }
}

/** A request with its host, and the limits that count it. */
interface AskedAddress {
  readonly to: string;
  readonly address: RequestAddress;
  readonly asking: Asking;
  readonly movedTo: string | undefined;
}

/** What a request takes along beside what it asks for. */
interface SentBeside {
  readonly body?: string;
  readonly credentials?: Credentials;
  /** The limit that counts it, where it is none of those of other requests. */
  readonly limitedAs?: typeof tokenLimit;
}

/** Tokens are issued under a limit of their own. */
const tokenLimit = 'tokens';

/** Statuses that the issuer of tokens is asked the meaning of. */
const issuerRefusals = [401, 403, 404];

const nobody = givenCredentials(() => ({}));

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const headersFor = (isOwn: boolean, { headers, etag }: Asking): Record<string, string> => ({
  ...requestHeaders,
  ...(isOwn ? headers : {}),
  ...(etag === undefined ? {} : { 'if-none-match': etag }),
});
