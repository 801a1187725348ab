import { withoutTrailing } from '../../trailing-characters.ts';
import type { AddressQuery } from '../host-port.ts';
import { SourceProblem } from '../source.ts';
import { isAllowedHost } from './host-patterns.ts';

export interface AddressSettings {
  readonly baseUrl: string;
  /** Addresses that the provider has by itself, such as `https://api.github.com`: they are asked at `base_url`. */
  readonly ownAddresses?: readonly string[];
  /** Other hosts that answers may lead to: `example.com`, `*.example.com`, `files-*.example.com`, `example.com:8443`. */
  readonly allowedHosts?: readonly string[];
  /** Where GraphQL is, below `base_url`. */
  readonly graphqlPath?: string;
}

export interface RequestAddress {
  readonly url: URL;
  /** Whether it is at `base_url`: only such requests carry the token. */
  readonly isOwn: boolean;
}

const enterprisePath = '/api/v3';

/** Where a source is asked. What leads to another host is refused, unless the host is allowed. */
export class SourceAddresses {
  readonly #base: URL;
  readonly #basePath: string;
  readonly #ownOrigins: ReadonlySet<string>;
  readonly #allowedHosts: readonly string[];
  readonly #graphqlPath: string | undefined;

  constructor({ baseUrl, ownAddresses = [], allowedHosts = [], graphqlPath }: AddressSettings) {
    this.#graphqlPath = graphqlPath;
    this.#base = baseAddress(baseUrl);
    this.#basePath = withoutTrailing(this.#base.pathname, '/');
    this.#ownOrigins = new Set([this.#base.origin, ...ownAddresses.map((address) => baseAddress(address).origin)]);
    this.#allowedHosts = allowedHosts.map((host) => host.trim().toLowerCase()).filter((host) => host !== '');
  }

  get host(): string {
    return this.#base.host;
  }

  /** A path below `base_url`, or an address that an answer gave. */
  of(path: string, query: AddressQuery = {}): RequestAddress {
    const address = path.startsWith('/') ? this.#below(path) : this.#named(path);
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) for (const each of value) address.url.searchParams.append(name, each);
      else if (value !== undefined) address.url.searchParams.set(name, String(value));
    }
    return address;
  }

  /** The address in a Link or Location header of an answer to `asked`. */
  linked(link: string, asked: URL): RequestAddress {
    const url = URL.canParse(link, asked.href) ? new URL(link, asked) : undefined;
    if (!url) throw new SourceProblem(`${this.host} gave a link that is no address`, whoToAsk);
    return this.#named(url.href);
  }

  graphql(): RequestAddress {
    if (this.#graphqlPath !== undefined) return this.#below(this.#graphqlPath);
    const path = this.#basePath.endsWith(enterprisePath)
      ? `${this.#basePath.slice(0, -enterprisePath.length)}/api/graphql`
      : `${this.#basePath}/graphql`;
    return { url: new URL(`${this.#base.origin}${path}`), isOwn: true };
  }

  /** The path of an address at `base_url`, with its query; the whole address elsewhere. */
  pathOf({ url, isOwn }: RequestAddress): string {
    return isOwn ? `${url.pathname.slice(this.#basePath.length)}${url.search}` : url.href;
  }

  /** Put together as text: `//example.com/…` would otherwise be another host. */
  #below(path: string): RequestAddress {
    const below =
      path === this.#basePath || path.startsWith(`${this.#basePath}/`) ? path.slice(this.#basePath.length) : path;
    return { url: new URL(`${this.#base.origin}${this.#basePath}${below}`), isOwn: true };
  }

  #named(address: string): RequestAddress {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url) throw new SourceProblem(`${this.host} gave a link that is no address`, whoToAsk);
    if (this.#ownOrigins.has(url.origin)) return this.#below(`${url.pathname}${url.search}`);
    if (!this.#isAllowed(url)) {
      throw new SourceProblem(
        `An answer of ${this.host} leads to another host, ${url.host.slice(0, 100)}`,
        `If it is right that it does, add ${url.host.slice(0, 100)} to allow_hosts. It never gets the token.`,
      );
    }
    return { url, isOwn: false };
  }

  #isAllowed(url: URL): boolean {
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && this.#base.protocol === 'http:');
    if (!isSafe || url.username !== '' || url.password !== '') return false;
    const [name, host] = [url.hostname.toLowerCase(), url.host.toLowerCase()];
    return this.#allowedHosts.some((allowed) => isAllowedHost(allowed, name) || isAllowedHost(allowed, host));
  }
}

const whoToAsk = 'Ask the administrator of that host, or of a proxy in front of it.';

function baseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SourceProblem('base_url is no address', 'Give one that begins with https:// or http://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SourceProblem('base_url holds more than an address', 'Leave out user, password, query and fragment.');
  }
  return url;
}
