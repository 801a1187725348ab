import { type LookupAddress, lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { literalAddress, rangeOf } from './address-range.ts';

/** Says whether a host may have an address inside the company's own network. Link-local addresses are refused always. */
export type PrivateHosts = (host: string) => boolean;

/** A host that must not be connected to. */
export class RefusedHost extends Error {
  readonly host: string;
  readonly range: 'link-local' | 'private';

  constructor(host: string, range: RefusedHost['range']) {
    super(`${host} has a ${range} address`);
    this.host = host;
    this.range = range;
  }
}

/** Throws where one of the addresses of a host is none that may be connected to. */
function refuseAddresses(host: string, addresses: readonly string[], mayBePrivate: PrivateHosts): void {
  const ranges = addresses.map(rangeOf);
  if (ranges.includes('link-local')) throw new RefusedHost(host, 'link-local');
  if (ranges.includes('private') && !mayBePrivate(host)) throw new RefusedHost(host, 'private');
}

/** A host that is an address itself is never looked up. */
export function refuseLiteralAddress(host: string, mayBePrivate: PrivateHosts): void {
  const literal = literalAddress(host);
  if (literal !== undefined) refuseAddresses(host, [literal], mayBePrivate);
}

/**
 * Resolves names and looks at what they mean in the same step: a name cannot mean one address when it is checked and
 * another one when it is connected to.
 */
export const checkedLookup =
  (mayBePrivate: PrivateHosts): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, []);
      try {
        const addresses = found.map(({ address }) => address);
        refuseAddresses(name, addresses, mayBePrivate);
      } catch (problem) {
        return callback(problem as Error, []);
      }
      if (options.all) return callback(null, found);
      const [first] = found;
      callback(null, first?.address ?? '', first?.family);
    });
  };

/** Refuses a host at once that would be refused when it is connected to. */
export async function refuseHost(
  host: string,
  mayBePrivate: PrivateHosts,
  addressesOf: (host: string) => Promise<readonly string[]> = resolvedAddresses,
): Promise<void> {
  const literal = literalAddress(host);
  refuseAddresses(host, literal === undefined ? await inTime(addressesOf(host)) : [literal], mayBePrivate);
}

/** Nobody waits longer for a name server: an address is looked at again when it is connected to. */
const lookupMs = 2_000;

async function inTime(addresses: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), lookupMs);
  });
  return Promise.race([addresses, late]).finally(() => clearTimeout(timer));
}

/** A name that cannot be resolved now is looked at when it is connected to. */
async function resolvedAddresses(host: string): Promise<readonly string[]> {
  try {
    return (await resolve(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Whether the operator has named a host. An address of IPv6 is in brackets where it is part of a URL. */
export function isNamedHost(host: string, named: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return named.some((known) => bare(known) === bare(host));
}
