import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GraphqlMissing, TooMuchAtOnce } from '../../../src/sources/host-port.ts';
import { HostLimits, RequestPace } from '../../../src/sources/http/host-rate-limits.ts';
import { SourceProblem } from '../../../src/sources/source.ts';
import { virtualClock } from '../../jobs/toy-sync.ts';
import { requestsTo, type Script, ScriptedHost } from './scripted-host.ts';

async function host(script: Script): Promise<ScriptedHost> {
  const started = await ScriptedHost.start(script);
  onTestFinished(() => started.close());
  return started;
}

const problemOf = async (asked: Promise<unknown>): Promise<SourceProblem> => {
  const problem = await asked.catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(SourceProblem);
  return problem as SourceProblem;
};

describe('an answer', () => {
  test('An answer is JSON with its ETag, its next page at base_url, and the provider’s time', async () => {
    const { origin, asked } = await host(() => ({
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
    const { origin, asked } = await host(() => ({ status: 304, headers: { etag: '"1"' }, body: '' }));
    const { requests } = requestsTo(origin);
    expect(await requests.get('/items', { etag: '"1"' })).toMatchObject({ isUnchanged: true, body: null });
    expect(asked[0]?.headers['if-none-match']).toBe('"1"');
  });

  test('An answer may be compressed, and text where it does not say that it is JSON', async () => {
    const { origin } = await host(() => ({
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('{"a":1}\n{"a":2}\n'),
    }));
    expect((await requestsTo(origin).requests.get('/report')).body).toBe('{"a":1}\n{"a":2}\n');
  });

  test('An answer is refused where it is larger than memory has room for, compressed or not', async () => {
    const { origin } = await host(({ path }) =>
      path === '/zip'
        ? { headers: { 'content-encoding': 'gzip' }, body: gzipSync('x'.repeat(5_000)) }
        : { body: 'x'.repeat(5_000) },
    );
    const { requests } = requestsTo(origin, { maxBodyBytes: 1_000 });
    expect((await problemOf(requests.get('/plain'))).message).toContain('more than 1000 bytes');
    expect((await problemOf(requests.get('/zip'))).message).toContain('more than 1000 bytes');
  });

  test('An answer may be a failure that whoever asks has expected', async () => {
    const { origin } = await host(() => ({ status: 404, body: { message: 'Not Found' } }));
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
      const seen = await host(() => ({ status, body: { message: 'internal-detail-of-the-host' } }));
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
    const { origin, asked } = await host((request, number, response) =>
      number < 3 ? script(request, number, response) : { body: ['good'] },
    );
    const { requests, clock } = requestsTo(origin);
    expect((await requests.get('/items', { query: { page: 2 } })).body).toEqual(['good']);
    expect(asked).toHaveLength(3);
    // One second, then two.
    expect(clock.waitedMs()).toBe(3_000);
  });

  test('What passes is told once the tries are used up, and each further request uses up the budget of its stream', async () => {
    const seen = await host(() => ({ status: 503, body: 'words of the host' }));
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
    const { origin } = await host(() => {
      stop.abort(new Error('stopped'));
      return undefined;
    });
    await expect(requestsTo(origin, { signal: stop.signal }).requests.get('/items')).rejects.toThrow('stopped');
  });
});

describe('a limit', () => {
  const date = new Date('2031-01-01T00:00:00Z');
  const after = (seconds: number) => String(date.getTime() / 1_000 + seconds);
  const headers = { date: date.toUTCString() };

  const limited: Readonly<Record<string, readonly [Script, number]>> = {
    'Retry-After in seconds': [() => ({ status: 429, headers: { ...headers, 'retry-after': '42' } }), 42],
    'Retry-After as a date of its own clock': [
      () => ({ status: 403, headers: { ...headers, 'retry-after': new Date(date.getTime() + 42_000).toUTCString() } }),
      42,
    ],
    'the reset of its own clock': [
      () => ({ status: 403, headers: { ...headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': after(600) } }),
      601,
    ],
    'the seconds that are left, as newer headers have them': [
      () => ({ status: 429, headers: { ...headers, 'ratelimit-remaining': '0', 'ratelimit-reset': '30' } }),
      31,
    ],
    'the moment in seconds, as newer headers have it': [
      () => ({ status: 429, headers: { ...headers, 'ratelimit-remaining': '0', 'ratelimit-reset': after(30) } }),
      31,
    ],
    'the moment in milliseconds': [
      () => ({
        status: 429,
        headers: {
          ...headers,
          'x-ratelimit-requests-remaining': '0',
          'x-ratelimit-requests-reset': String(date.getTime() + 30_000),
        },
      }),
      31,
    ],
    'the moment as a date': [
      () => ({
        status: 429,
        headers: { ...headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2031-01-01T00:00:30Z' },
      }),
      31,
    ],
    'the words of a proxy with the status of missing rights': [
      () => ({ status: 403, headers, body: { error: 'Too Many Requests' } }),
      60,
    ],
    'an outage that says when it is over': [() => ({ status: 503, headers: { ...headers, 'retry-after': '42' } }), 42],
    'a secondary limit that says no time': [
      () => ({ status: 403, headers, body: { message: 'You have exceeded a secondary rate limit' } }),
      60,
    ],
    'a reset that some clock has put far away': [
      () => ({ status: 429, headers: { ...headers, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': after(9e6) } }),
      3_700,
    ],
  };

  test.each(Object.entries(limited))('A limit is waited for by %s', async (_, [script, seconds]) => {
    const { origin, asked } = await host((request, number, response) =>
      number === 1 ? script(request, number, response) : { headers, body: ['good'] },
    );
    const { requests, clock } = requestsTo(origin);
    expect((await requests.get('/items')).body).toEqual(['good']);
    expect(asked).toHaveLength(2);
    expect(clock.waitedMs()).toBe(seconds * 1_000);
  });

  test('A limit of the second kind holds for REST and GraphQL alike, the limit of an hour for one of them', async () => {
    const at = date.getTime() / 1_000;
    const waitedFor = async (refused: Record<string, string>, said: { remaining?: number; resetAt?: number }) => {
      const clock = virtualClock();
      const pace = new RequestPace(clock);
      new HostLimits(pace, clock, 0).noteRefused('rest', { headers: refused }, said, at);
      await pace.enter('graphql', new AbortController().signal);
      return clock.waitedMs();
    };
    expect(await waitedFor({ 'retry-after': '42' }, {})).toBe(42_000);
    expect(await waitedFor({}, { remaining: 0, resetAt: at + 42 })).toBe(0);
  });

  test('A limit is not used up: a fifth of it stays free, or as much as the setting says', async () => {
    const { origin } = await host((_, number) => ({
      headers: {
        ...headers,
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': number === 1 ? '21' : '20',
        'x-ratelimit-reset': after(300),
      },
    }));
    const usual = requestsTo(origin);
    for (let i = 0; i < 2; i += 1) await usual.requests.get('/items');
    expect(usual.clock.waitedMs()).toBe(0);
    await usual.requests.get('/items');
    expect(usual.clock.waitedMs()).toBe(301_000);
    expect(usual.requests.limits).toMatchObject([{ to: 'rest', limit: 100, remaining: 20 }]);
    const greedy = requestsTo(origin, { keepFree: 0.1 });
    for (let i = 0; i < 3; i += 1) await greedy.requests.get('/items');
    expect(greedy.clock.waitedMs()).toBe(0);
  });

  test('A limit of one endpoint holds up no other one, where each has its own', async () => {
    const { origin } = await host(({ path }, number) =>
      number === 1 ? { status: 429, headers: { ...headers, 'retry-after': '42' } } : { headers, body: [path] },
    );
    const { requests, clock } = requestsTo(origin, { hasEndpointLimits: true });
    const limited = requests.get('/projects/7/issues');
    await expect.poll(() => clock.waitedMs()).toBe(42_000);
    await limited;
    const other = await host(({ path }, number) => {
      const isUsedUp = path.startsWith('/projects/');
      return {
        headers: {
          ...headers,
          'ratelimit-remaining': isUsedUp ? '0' : '9',
          'ratelimit-limit': '10',
          'ratelimit-reset': '30',
        },
        body: number,
      };
    });
    const each = requestsTo(other.origin, { hasEndpointLimits: true });
    await each.requests.get('/projects/7/issues');
    await each.requests.get('/users');
    expect(each.clock.waitedMs()).toBe(0);
    await each.requests.get('/projects/8/issues');
    expect(each.clock.waitedMs()).toBe(31_000);
    expect(each.requests.limits.map(({ to }) => to)).toEqual(['/projects/*/issues', '/users']);
  });

  test('A limit that a host does not have is not waited for', async () => {
    const { origin } = await host(() => ({}));
    const { requests, clock } = requestsTo(origin);
    for (let i = 0; i < 5; i += 1) await requests.get('/items');
    expect(clock.waitedMs()).toBe(0);
    expect(requests.limits).toEqual([]);
  });

  test('A limit of how many requests there may be at a time makes them fewer, and slowly more again', async () => {
    let [now, most] = [0, 0];
    const { origin } = await host((_, number, response) => {
      if (number === 1) return { status: 429, headers: { ...headers, 'retry-after': '1' } };
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.writeHead(200).end();
      }, 5);
      return undefined;
    });
    const { requests } = requestsTo(origin);
    await requests.get('/items');
    const several = async (count: number) => {
      most = 0;
      await Promise.all(Array.from({ length: count }, () => requests.get('/items')));
      return most;
    };
    expect(await several(8)).toBe(2);
    await several(50);
    expect(await several(8)).toBe(4);
  });
});

describe('a question by POST', () => {
  const question = { jql: 'project = WEB', nextPageToken: null };

  test('A question by POST is asked with its body, again after an outage, and may lead to another address of the host', async () => {
    const seen = await host(({ path }, number) =>
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
    const other = await host(() => ({ body: {} }));
    const { origin } = await host(() => ({ status: 307, headers: { location: `${other.origin}/x` } }));
    const { requests } = requestsTo(origin, { allowedHosts: [other.origin.replace('http://', '')] });
    expect((await problemOf(requests.post('/search', question))).message).toContain('another host');
    await problemOf(requests.post(`${other.origin}/search`, question));
    expect(other.asked).toEqual([]);
  });
});

describe('GraphQL', () => {
  const asking = (origin: string) => requestsTo(origin).requests.graphql('query { a }', { n: 1 });

  test('GraphQL is asked with its variables, and what is gone is null', async () => {
    const { origin, asked } = await host(() => ({
      body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND' }] },
    }));
    expect((await asking(origin)).data).toEqual({ repository: null });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/graphql',
      body: '{"query":"query { a }","variables":{"n":1}}',
    });
  });

  test('GraphQL has a limit of its own, which an answer with status 200 may tell', async () => {
    const resetAt = '2031-01-01T00:10:00Z';
    const { origin, asked } = await host((_, number) => ({
      headers: { date: 'Wed, 01 Jan 2031 00:00:00 GMT' },
      body:
        number === 1
          ? { data: { rateLimit: { remaining: 0, limit: 5_000, resetAt } }, errors: [{ type: 'RATE_LIMITED' }] }
          : { data: { a: 1 } },
    }));
    const { requests, clock } = requestsTo(origin);
    expect((await requests.graphql('query', {})).data).toEqual({ a: 1 });
    expect(asked).toHaveLength(2);
    expect(clock.waitedMs()).toBe(601_000);
  });

  test('GraphQL may tell its limit with the status of a wrong question', async () => {
    const { origin, asked } = await host((_, number) =>
      number === 1
        ? {
            status: 400,
            headers: {
              date: 'Wed, 01 Jan 2031 00:00:00 GMT',
              'x-ratelimit-requests-remaining': '0',
              'x-ratelimit-requests-reset': String(Date.UTC(2031, 0, 1, 0, 1)),
            },
            body: { errors: [{ message: 'slow down', extensions: { code: 'RATELIMITED' } }] },
          }
        : { body: { data: { a: 1 } } },
    );
    const { requests, clock } = requestsTo(origin, { graphqlPath: '/api/graphql' });
    expect((await requests.graphql('query', {})).data).toEqual({ a: 1 });
    expect(asked.map(({ path }) => path)).toEqual(['/api/graphql', '/api/graphql']);
    expect(clock.waitedMs()).toBe(61_000);
  });

  test.each([
    ['a gateway that gave up, twice', { status: 502 }, TooMuchAtOnce, 2],
    [
      'an error without a type, twice',
      { body: { data: null, errors: [{ message: 'Something went wrong' }] } },
      TooMuchAtOnce,
      2,
    ],
    ['too many nodes', { body: { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED' }] } }, TooMuchAtOnce, 1],
    [
      'a field that the host does not know',
      { body: { errors: [{ extensions: { code: 'undefinedField' } }] } },
      GraphqlMissing,
      1,
    ],
    ['a host without it', { status: 404 }, GraphqlMissing, 1],
    ['missing rights', { body: { data: null, errors: [{ type: 'FORBIDDEN' }] } }, SourceProblem, 1],
  ] as const)('tells %s', async (_, said, error, requests) => {
    const { origin, asked } = await host(() => said);
    await expect(asking(origin)).rejects.toBeInstanceOf(error);
    expect(asked).toHaveLength(requests);
  });

  test('GraphQL that takes too long is asked again like after an outage, where nothing smaller can be asked for', async () => {
    const { origin, asked } = await host((_, number) =>
      number < 4
        ? { body: { data: null, errors: [{ message: 'Something went wrong' }] } }
        : { body: { data: { a: 1 } } },
    );
    const { requests } = requestsTo(origin);
    expect((await requests.graphql('query { a }', {}, { isSmallest: true })).data).toEqual({ a: 1 });
    expect(asked).toHaveLength(4);
  });

  test('GraphQL is asked again after an answer with an error that means nothing', async () => {
    const { origin, asked } = await host((_, number) => ({
      body: number === 1 ? { data: { a: 1 }, errors: [{ type: 'INTERNAL' }] } : { data: { a: 1 } },
    }));
    expect((await asking(origin)).data).toEqual({ a: 1 });
    expect(asked).toHaveLength(2);
  });
});

describe('another host', () => {
  test('Another host that a redirect leads to is refused, and hears nothing', async () => {
    const other = await host(() => ({}));
    const { origin } = await host(() => ({ status: 302, headers: { location: `${other.origin}/x` } }));
    const problem = await problemOf(requestsTo(origin).requests.get('/report'));
    expect(problem.toDo).toContain('allow_hosts');
    expect(other.asked).toEqual([]);
  });

  test('Another host that is allowed never gets the token, nor what else the host is told', async () => {
    const other = await host(() => ({ body: 'report' }));
    const { origin } = await host(() => ({ status: 302, headers: { location: `${other.origin}/x` } }));
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
    const { origin } = await host(() => ({
      headers: { link: '<https://evil.example/items?page=2>; rel="next"' },
      body: [],
    }));
    await problemOf(requestsTo(origin).requests.get('/items'));
  });

  test('Another host is not what a repository with another name is: that is followed at base_url, with the token', async () => {
    const seen = await host(({ path }) =>
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
    const seen = await host(() => ({ status: 302, headers: { location: '/again' } }));
    await problemOf(requestsTo(seen.origin).requests.get('/first'));
    expect(seen.asked).toHaveLength(6);
  });
});

describe('an address inside the network', () => {
  test('An address inside the network is refused where nobody allowed it, by number and by name', async () => {
    const seen = await host(() => ({}));
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

test('An answer that takes for ever is given up, and asked for again', async () => {
  const seen = await host((_, number, response) => {
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
