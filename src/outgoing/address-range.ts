import { BlockList, isIP, isIPv6 } from 'node:net';

/** Where an address leads: `link-local` is the machine's own neighbourhood, such as a cloud's metadata service. */
type AddressRange = 'public' | 'private' | 'link-local';

const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
// 169.254.0.0/16 by way of NAT64 and 6to4, and in two older ways to write an IPv4 address.
linkLocal.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
linkLocal.addSubnet('2002:a9fe::', 32, 'ipv6');
linkLocal.addSubnet('::a9fe:0', 112, 'ipv6');
linkLocal.addSubnet('::ffff:0:a9fe:0', 112, 'ipv6');
// The metadata services of clouds that have addresses of their own.
linkLocal.addAddress('fd00:ec2::254', 'ipv6');
linkLocal.addAddress('100.100.100.200', 'ipv4');
linkLocal.addAddress('64:ff9b::6464:64c8', 'ipv6');
linkLocal.addSubnet('2002:6464:64c8::', 48, 'ipv6');
linkLocal.addAddress('168.63.129.16', 'ipv4');
linkLocal.addAddress('64:ff9b::a83f:8110', 'ipv6');
linkLocal.addSubnet('2002:a83f:8110::', 48, 'ipv6');

const notPublic = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  // Loopback, and two older ways to write an IPv4 address.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  // NAT64 of a network's own.
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  // Teredo, which leads to any IPv4 address.
  ['2001::', 32],
  // Where packets are thrown away.
  ['100::', 64],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.addSubnet(net, prefix, 'ipv6');
}

/** IPv4 addresses written as IPv6 ones are looked at as what they are: BlockList does so by itself. */
export function rangeOf(address: string): AddressRange {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (linkLocal.check(address, family)) return 'link-local';
  return notPublic.check(address, family) ? 'private' : 'public';
}

/** The address that a host is, where it is no name: `[::1]` in an address of the web is `::1`. */
export function literalAddress(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
