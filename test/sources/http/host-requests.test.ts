import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { problemOf, requestsTo, type Script, scriptedHost } from './scripted-host.ts';

describe('an answer', () => {
  test('An answer is JSON with its ETag, its next page at base_url, and the provider’s time', async () => {
    const { origin, asked } = await scriptedHost(() => ({
      headers: {
        etag: '"1"',
        link: '<https://api.host.example/items?page=1>; rel="prev", <https://api.host.example/items?page=3>; rel="next"',
        date: 'Sat, 01 Jun 2024 00:00:00 GMT',
      },
      body: [1, 2],
    }));
    const { requests } = requestsTo(`${origin}/api`, { ownAddresses: ['https://api.host.example'] });
    const answer = await requests.get('/items', { query: { page: 2, state: 'all', none: undefined } });
    expect(answer).toMatchObject({
      status: 200,
      body: [1, 2],
      etag: '"1"',
      nextPage: '/items?page=3',
      at: 1_717_200_000,
    });
    expect(asked[0]).toMatchObject({
      path: '/api/items?page=2&state=all',
      headers: { authorization: 'Bearer secret-token' },
    });
  });

  test('An answer is unchanged where its ETag is still true', async () => {
    const { origin, asked } = await scriptedHost(() => ({ status: 304, headers: { etag: '"1"' }, body: '' }));
    const { requests } = requestsTo(origin);
    expect(await requests.get('/items', { etag: '"1"' })).toMatchObject({ isUnchanged: true, body: null });
    expect(asked[0]?.headers['if-none-match']).toBe('"1"');
  });

  test('An answer may be compressed, and text where it does not say that it is JSON', async () => {
    const { origin } = await scriptedHost(() => ({
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('{"a":1}\n{"a":2}\n'),
    }));
    expect((await requestsTo(origin).requests.get('/report')).body).toBe('{"a":1}\n{"a":2}\n');
  });

  test('An answer is refused where it is larger than memory has room for, compressed or not', async () => {
    const { origin } = await scriptedHost(({ path }) =>
      path === '/zip'
        ? { headers: { 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(5_000)) }
        : { body: 'x'.repeat(5_000) },
    );
    const { requests } = requestsTo(origin, { maxBodyBytes: 1_000 });
    expect((await problemOf(requests.get('/plain'))).message).toContain('more than 1000 bytes');
    expect((await problemOf(requests.get('/zip'))).message).toContain('more than 1000 bytes');
  });

  test('An answer may be a failure that whoever asks has expected', async () => {
    const { origin } = await scriptedHost(() => ({ status: 404, body: { message: 'Not Found' } }));
    expect(await requestsTo(origin).requests.get('/gone', { alsoGood: [404] })).toMatchObject({ status: 404 });
  });
});

describe('what the owner can put right', () => {
  test.each([
    [401, 'token'],
    [403, 'scope'],
    [404, 'name'],
    [410, 'Leave it out'],
    [422, 'settings'],
  ])(
    'What the owner can put right is told at once with what to do, and never in the words of the answer: %s',
    async (status, toDo) => {
      const seen = await scriptedHost(() => ({ status, body: { message: 'internal-detail-of-the-host' } }));
      const problem = await problemOf(requestsTo(seen.origin).requests.get('/x'));
      expect(problem.mayPass).toBe(false);
      expect(problem.toDo).toContain(toDo);
      expect(`${problem.message} ${problem.toDo}`).not.toContain('internal-detail');
      expect(seen.asked).toHaveLength(1);
    },
  );
});

describe('what passes', () => {
  const broken: Readonly<Record<string, Script>> = {
    'a server error': () => ({ status: 500, body: {} }),
    'half of a JSON': () => ({ headers: { 'content-type': 'application/json' }, body: '[{"a":' }),
    'no JSON at all': () => ({ headers: { 'content-type': 'application/json' }, body: '' }),
    'a closed connection': (_, __, response) => void response.destroy(),
    'a page that leads to itself': ({ path }) => ({ headers: { link: `<${path}>; rel="next"` }, body: [] }),
    'a page that leads back': () => ({ headers: { link: '</items?page=1>; rel="next"' }, body: [] }),
    'an answer that is cut off': (_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('[1,', () => response.destroy());
      return undefined;
    },
  };

  test.each(Object.entries(broken))('What passes is tried again after %s', async (_, script) => {
    const { origin, asked } = await scriptedHost((request, number, response) =>
      number < 3 ? script(request, number, response) : { body: ['good'] },
    );
    const { requests, clock } = requestsTo(origin);
    expect((await requests.get('/items', { query: { page: 2 } })).body).toEqual(['good']);
    expect(asked).toHaveLength(3);
    // One second, then two.
    expect(clock.waitedMs()).toBe(3_000);
  });

  test('What passes is told once the tries are used up, and each further request uses up the budget of its stream', async () => {
    const seen = await scriptedHost(() => ({ status: 503, body: 'words of the host' }));
    const { requests } = requestsTo(seen.origin);
    const problem = await problemOf(requests.get('/items'));
    expect(problem).toMatchObject({ mayPass: true, message: expect.stringContaining('503') });
    expect(seen.asked).toHaveLength(6);
    await problemOf(requests.get('/items'));
    // Five of the ten retries were left, and the request itself.
    expect(seen.asked).toHaveLength(12);
    await problemOf(requests.get('/items'));
    expect(seen.asked).toHaveLength(13);
  });

  test('What passes is not waited for once the sync is stopped', async () => {
    const stop = new AbortController();
    const { origin } = await scriptedHost(() => {
      stop.abort(new Error('stopped'));
      return undefined;
    });
    await expect(requestsTo(origin, { signal: stop.signal }).requests.get('/items')).rejects.toThrow('stopped');
  });
});

describe('a question by POST', () => {
  const question = { jql: 'project = WEB', nextPageToken: null };

  test('A question by POST is asked with its body, again after an outage, and may lead to another address of the host', async () => {
    const seen = await scriptedHost(({ path }, number) =>
      number === 1
        ? { status: 502 }
        : path === '/old'
          ? { status: 308, headers: { location: '/new?page=2' } }
          : { body: { issues: [] } },
    );
    const answer = await requestsTo(seen.origin).requests.post('/old', question);
    expect(answer).toMatchObject({ body: { issues: [] }, movedTo: '/new?page=2' });
    expect(seen.paths).toEqual(['/old', '/old', '/new?page=2']);
    for (const { method, body, headers } of seen.asked) {
      expect(method).toBe('POST');
      expect(JSON.parse(body)).toEqual(question);
      expect(headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer secret-token' });
    }
  });

  test('A question by POST is told to no other host, also where links may lead there: its body may hold a secret', async () => {
    const other = await scriptedHost(() => ({ body: {} }));
    const { origin } = await scriptedHost(() => ({ status: 307, headers: { location: `${other.origin}/x` } }));
    const { requests } = requestsTo(origin, { allowedHosts: [other.origin.replace('http://', '')] });
    expect((await problemOf(requests.post('/search', question))).message).toContain('another host');
    await problemOf(requests.post(`${other.origin}/search`, question));
    expect(other.asked).toEqual([]);
  });
});

test('An answer that takes for ever is given up, and asked for again', async () => {
  const seen = await scriptedHost((_, number, response) => {
    if (number > 2) return { body: ['good'] };
    if (number === 1) response.writeHead(200, { 'content-type': 'application/json' });
    const dripping = setInterval(() => number === 1 && response.write(' '), 5);
    response.on('close', () => clearInterval(dripping));
    return undefined;
  });
  // The first one says something all the time and never ends; the second one says nothing.
  const { requests } = requestsTo(seen.origin, { exchangeMs: 100, idleMs: 50 });
  expect((await requests.get('/items')).body).toEqual(['good']);
  expect(seen.asked).toHaveLength(3);
});
