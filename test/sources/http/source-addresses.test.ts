import { describe, expect, test } from 'vitest';
import { rangeOf } from '../../../src/outgoing/address-range.ts';
import { SourceAddresses } from '../../../src/sources/http/source-addresses.ts';
import { SourceProblem } from '../../../src/sources/source.ts';

const github = 'https://api.github.com';

describe('what a source asks for', () => {
  test.each([
    ['https://api.github.com', '/repos/a/b', 'https://api.github.com/repos/a/b'],
    ['https://ghe.acme.example/api/v3', '/repos/a/b', 'https://ghe.acme.example/api/v3/repos/a/b'],
    ['https://ghe.acme.example/api/v3/', '/api/v3/repos', 'https://ghe.acme.example/api/v3/repos'],
    ['http://127.0.0.1:8080', '//evil.example/repos', 'http://127.0.0.1:8080//evil.example/repos'],
    [
      'http://127.0.0.1:8080/proxy',
      'https://api.github.com/repositories/7/pulls?page=2',
      'http://127.0.0.1:8080/proxy/repositories/7/pulls?page=2',
    ],
    [
      'https://ghe.acme.example/api/v3',
      'https://ghe.acme.example/api/v3/repositories/7?page=2',
      'https://ghe.acme.example/api/v3/repositories/7?page=2',
    ],
  ])('What a source asks for at %s, %s is %s', (baseUrl, path, address) => {
    const found = new SourceAddresses({ baseUrl, ownAddresses: [github] }).of(path);
    expect(found).toMatchObject({ isOwn: true, url: { href: address } });
  });

  test.each([
    ['https://api.github.com', 'https://api.github.com/graphql'],
    ['https://ghe.acme.example/api/v3', 'https://ghe.acme.example/api/graphql'],
    ['https://ghe.acme.example/inner/api/v3/', 'https://ghe.acme.example/inner/api/graphql'],
    ['http://127.0.0.1:8080/proxy', 'http://127.0.0.1:8080/proxy/graphql'],
  ])('GraphQL of %s is at %s', (baseUrl, address) => {
    expect(new SourceAddresses({ baseUrl }).graphql().url.href).toBe(address);
  });

  test('A next page is told by path and query, so that it can be kept and asked anywhere', () => {
    const addresses = new SourceAddresses({ baseUrl: 'http://127.0.0.1:1/api/v3', ownAddresses: [github] });
    const linked = addresses.linked(
      'https://api.github.com/repositories/7/pulls?page=2',
      new URL('http://127.0.0.1:1/'),
    );
    expect(addresses.pathOf(linked)).toBe('/repositories/7/pulls?page=2');
    expect(addresses.of(addresses.pathOf(linked)).url.href).toBe(
      'http://127.0.0.1:1/api/v3/repositories/7/pulls?page=2',
    );
  });

  test.each([
    'https://api.github.com:444/x',
    'http://api.github.com/x',
    'https://api.github.com.evil.example/x',
    'https://github.com/x',
  ])('%s is another host', (link) => {
    const addresses = new SourceAddresses({ baseUrl: github });
    expect(() => addresses.linked(link, new URL(github))).toThrow(SourceProblem);
  });

  test.each([
    ['files.example', 'https://files.example/report', true],
    ['files.example', 'https://files.example:8443/report', true],
    ['files.example:8443', 'https://files.example:8443/report', true],
    ['files.example:8443', 'https://files.example/report', false],
    ['*.files.example', 'https://eu.files.example/report', true],
    ['*.files.example', 'https://files.example/report', false],
    ['*.files.example', 'https://evilfiles.example/report', false],
    ['files-*.cdn.example', 'https://files-production-7.cdn.example/report', true],
    ['files-*.cdn.example', 'https://files-7.evil.cdn.example/report', false],
    ['files-*.cdn.example', 'https://files-7xcdn.example/report', false],
    ['files.*.example', 'https://files.eu.example/report', true],
    ['files.*.example', 'https://files.eu.west.example/report', false],
    ['files-*.*.example', 'https://files-7.eu.example/report', true],
    ['files-*.*.example', 'https://files-7.example/report', false],
    ['files-*-7.example', 'https://files-7.example/report', false],
    ['files.*.example:8443', 'https://files.eu.example:8443/report', true],
    ['files.*', 'https://files.example:8443/report', true],
    // Several in one name would be tried in every way that they fit, for a host that somebody else has chosen.
    [`${'a*'.repeat(10)}b.example`, `https://${'a'.repeat(60)}b.example/report`, false],
    ['*.files.example', `https://${'a.'.repeat(200)}files.example/report`, false],
    ['files.example', 'https://user:word@files.example/report', false],
    // A signed link would be read by everyone on the way.
    ['files.example', 'http://files.example/report', false],
    ['files.example', 'ftp://files.example/report', false],
  ])('What a source asks for with %s allowed, %s is followed: %s', (allowed, link, isFollowed) => {
    const addresses = new SourceAddresses({ baseUrl: github, allowedHosts: [allowed] });
    const follow = () => addresses.linked(link, new URL(github));
    if (isFollowed) expect(follow()).toMatchObject({ isOwn: false });
    else expect(follow).toThrow(SourceProblem);
  });

  test.each(['ftp://a.example', 'nonsense', 'https://u:p@a.example', 'https://a.example/?x=1'])(
    'base_url %s is refused',
    (baseUrl) => {
      expect(() => new SourceAddresses({ baseUrl })).toThrow(SourceProblem);
    },
  );
});

test.each([
  ['93.184.216.34', 'public'],
  ['2606:2800:220:1::1', 'public'],
  ['127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['::1', 'private'],
  ['::', 'private'],
  ['fd12::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['::127.0.0.1', 'private'],
  ['::ffff:0:127.0.0.1', 'private'],
  ['64:ff9b::169.254.169.254', 'link-local'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['::169.254.169.254', 'link-local'],
  ['::ffff:0:169.254.169.254', 'link-local'],
  ['64:ff9b::100.100.100.200', 'link-local'],
  ['2002:6464:64c8::1', 'link-local'],
  ['64:ff9b:1::a00:1', 'private'],
  ['2606:50c0:8000::153', 'public'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  // What Azure answers its machines at.
  ['168.63.129.16', 'link-local'],
  ['::ffff:168.63.129.16', 'link-local'],
  ['64:ff9b::168.63.129.16', 'link-local'],
  ['2002:a83f:8110::1', 'link-local'],
  ['168.63.129.17', 'public'],
  // Teredo, which leads to any IPv4 address, and addresses whose packets are thrown away.
  ['2001:0:a9fe:a9fe::1', 'private'],
  ['2001:1::1', 'public'],
  ['100::1', 'private'],
  ['100:0:0:1::1', 'public'],
  ['fd00:ec2::254', 'link-local'],
])('%s is %s', (address, range) => {
  expect(rangeOf(address)).toBe(range);
});
