import { isIP, isIPv6 } from 'node:net';

/**
 * The client that a limit by address counts. A single IPv6 subscriber has a whole /64 of addresses to go through, so all of it is
 * one client; an IPv4 address that is written as IPv6 is the IPv4 one.
 */
export function clientOf(forwarded: string): string {
  // Some proxies add the port. Text that is no address could be anything, of any length: all of it counts as one
  // client.
  const address = /^\[(.+)\]:\d+$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
  if (isIP(address) === 0) return 'unknown';
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [unzoned = ''] = address.toLowerCase().split('%');
  const [head = '', tail = ''] = unzoned.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':')}::/64`;
}
