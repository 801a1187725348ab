import { describe, expect, test } from 'vitest';
import { HostLimits, RequestPace } from '../../../src/sources/http/host-rate-limits.ts';
import { virtualClock } from '../../jobs/toy-sync.ts';
import { requestsTo, type Script, scriptedHost } from './scripted-host.ts';

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
    const { origin, asked } = await scriptedHost((request, number, response) =>
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
    const { origin } = await scriptedHost((_, number) => ({
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
    const { origin } = await scriptedHost(({ path }, number) =>
      number === 1 ? { status: 429, headers: { ...headers, 'retry-after': '42' } } : { headers, body: [path] },
    );
    const { requests, clock } = requestsTo(origin, { hasEndpointLimits: true });
    const limited = requests.get('/projects/7/issues');
    await expect.poll(() => clock.waitedMs()).toBe(42_000);
    await limited;
    const other = await scriptedHost(({ path }, number) => {
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
    const { origin } = await scriptedHost(() => ({}));
    const { requests, clock } = requestsTo(origin);
    for (let i = 0; i < 5; i += 1) await requests.get('/items');
    expect(clock.waitedMs()).toBe(0);
    expect(requests.limits).toEqual([]);
  });

  test('A limit of how many requests there may be at a time makes them fewer, and slowly more again', async () => {
    let [now, most] = [0, 0];
    const { origin } = await scriptedHost((_, number, response) => {
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
