import { describe, expect, test } from 'vitest';
import { GraphqlMissing, TooMuchAtOnce } from '../../../src/sources/host-port.ts';
import { SourceProblem } from '../../../src/sources/source.ts';
import { requestsTo, scriptedHost } from './scripted-host.ts';

describe('GraphQL', () => {
  const asking = (origin: string) => requestsTo(origin).requests.graphql('query { a }', { n: 1 });

  test('GraphQL is asked with its variables, and what is gone is null', async () => {
    const { origin, asked } = await scriptedHost(() => ({
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
    const { origin, asked } = await scriptedHost((_, number) => ({
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
    const { origin, asked } = await scriptedHost((_, number) =>
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
    const { origin, asked } = await scriptedHost(() => said);
    await expect(asking(origin)).rejects.toBeInstanceOf(error);
    expect(asked).toHaveLength(requests);
  });

  test('GraphQL that takes too long is asked again like after an outage, where nothing smaller can be asked for', async () => {
    const { origin, asked } = await scriptedHost((_, number) =>
      number < 4
        ? { body: { data: null, errors: [{ message: 'Something went wrong' }] } }
        : { body: { data: { a: 1 } } },
    );
    const { requests } = requestsTo(origin);
    expect((await requests.graphql('query { a }', {}, { isSmallest: true })).data).toEqual({ a: 1 });
    expect(asked).toHaveLength(4);
  });

  test('GraphQL is asked again after an answer with an error that means nothing', async () => {
    const { origin, asked } = await scriptedHost((_, number) => ({
      body: number === 1 ? { data: { a: 1 }, errors: [{ type: 'INTERNAL' }] } : { data: { a: 1 } },
    }));
    expect((await asking(origin)).data).toEqual({ a: 1 });
    expect(asked).toHaveLength(2);
  });
});
