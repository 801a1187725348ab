import { describe, expect, test } from 'vitest';
import { problemOf, requestsTo, scriptedHost } from './scripted-host.ts';

describe('another host', () => {
  test('Another host that a redirect leads to is refused, and hears nothing', async () => {
    const other = await scriptedHost(() => ({}));
    const { origin } = await scriptedHost(() => ({ status: 302, headers: { location: `${other.origin}/x` } }));
    const problem = await problemOf(requestsTo(origin).requests.get('/report'));
    expect(problem.toDo).toContain('allow_hosts');
    expect(other.asked).toEqual([]);
  });

  test('Another host that is allowed never gets the token, nor what else the host is told', async () => {
    const other = await scriptedHost(() => ({ body: 'report' }));
    const { origin } = await scriptedHost(() => ({ status: 302, headers: { location: `${other.origin}/x` } }));
    const { requests } = requestsTo(origin, { allowedHosts: [other.origin.replace('http://', '')] });
    expect((await requests.get('/report', { headers: { 'x-own': 'yes' } })).body).toBe('report');
    expect((await requests.get(`${other.origin}/direct`)).body).toBe('report');
    for (const { headers } of other.asked) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-own']).toBeUndefined();
    }
    expect(other.paths).toEqual(['/x', '/direct']);
  });

  test('Another host in a link to a next page is refused as well', async () => {
    const { origin } = await scriptedHost(() => ({
      headers: { link: '<https://evil.example/items?page=2>; rel="next"' },
      body: [],
    }));
    await problemOf(requestsTo(origin).requests.get('/items'));
  });

  test('Another host is not what a repository with another name is: that is followed at base_url, with the token', async () => {
    const seen = await scriptedHost(({ path }) =>
      path === '/api/repos/old/items'
        ? { status: 301, headers: { location: 'https://api.host.example/repositories/7/items' } }
        : { body: ['good'] },
    );
    const { requests } = requestsTo(`${seen.origin}/api`, { ownAddresses: ['https://api.host.example'] });
    const answer = await requests.get('/repos/old/items');
    expect(answer).toMatchObject({ body: ['good'], movedTo: '/repositories/7/items' });
    expect(seen.paths).toEqual(['/api/repos/old/items', '/api/repositories/7/items']);
    expect(seen.asked[1]?.headers.authorization).toBe('Bearer secret-token');
  });

  test('Another host by way of another is not followed for ever', async () => {
    const seen = await scriptedHost(() => ({ status: 302, headers: { location: '/again' } }));
    await problemOf(requestsTo(seen.origin).requests.get('/first'));
    expect(seen.asked).toHaveLength(6);
  });
});

describe('an address inside the network', () => {
  test('An address inside the network is refused where nobody allowed it, by number and by name', async () => {
    const seen = await scriptedHost(() => ({}));
    const port = new URL(seen.origin).port;
    for (const name of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const { requests } = requestsTo(`http://${name}:${port}`, { mayBePrivate: () => false });
      expect((await problemOf(requests.get('/x'))).toDo).toContain('PLUMB_SOURCE_HOSTS');
    }
    expect(seen.asked).toEqual([]);
  });

  test('An address inside the network of the link itself is refused always', async () => {
    const { requests } = requestsTo('http://169.254.169.254', { mayBePrivate: () => true });
    expect((await problemOf(requests.get('/latest/meta-data'))).message).toContain('link-local');
  });
});
