import { lookup } from 'node:dns/promises';
import { Refusal } from '../refusal.ts';
import { literalAddress, rangeOf } from '../sources/http/address-range.ts';
import type { SettingsOrigin } from '../sources/settings.ts';

export interface AddressPolicy {
  readonly origin: SettingsOrigin;
  /** Hosts inside the company's network that a page or the API may name (PLUMB_SOURCE_HOSTS). */
  readonly sourceHosts: readonly string[];
  /** The addresses that a name has; injected by tests. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

/**
 * Refuses a base address that leads where it must not: to the machine's own link always, and into a private network
 * where a page or the API gave it. The connection checks the resolved address again.
 */
export async function refuseBaseAddress(
  address: string,
  { origin, sourceHosts, addressesOf = resolvedAddresses }: AddressPolicy,
): Promise<void> {
  const { hostname } = new URL(address);
  const literal = literalAddress(hostname);
  const ranges = (literal === undefined ? await addressesOf(hostname) : [literal]).map(rangeOf);
  if (ranges.includes('link-local')) {
    throw new Refusal('bad-input', `base_url must not lead to a link-local address, as ${hostname} does.`);
  }
  if (origin === 'command' || !ranges.includes('private') || isSourceHost(hostname, sourceHosts)) return;
  throw new Refusal(
    'bad-input',
    `base_url must not lead into a private network, as ${hostname} does. ` +
      'The operator of this server can name the host in PLUMB_SOURCE_HOSTS, or add the source by the command line.',
  );
}

/** An address of IPv6 is in brackets where it is part of a URL. */
export function isSourceHost(host: string, sourceHosts: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return sourceHosts.some((known) => bare(known) === bare(host));
}

/** A name that cannot be resolved now is looked at when it is connected to. */
async function resolvedAddresses(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
