import { describe, expect, onTestFinished, test } from 'vitest';
import { maxTries } from '../../../src/sources/http/refused-answers.ts';
import { SourceProblem } from '../../../src/sources/source.ts';
import type { IssuerAnswer, TokenIssuer } from '../../../src/sources/token-issuer.ts';
import { virtualClock } from '../../jobs/toy-sync.ts';
import { type Asked, requestsTo, type Said, ScriptedHost } from './scripted-host.ts';

const startMs = Date.UTC(2024, 5, 1);

/** A host below `/api/v3` whose tokens hold for an hour, and an issuer that signs with the time. */
async function issuing(answer: (asked: Asked, number: number) => Said | undefined, skewSeconds = 0) {
  const clock = virtualClock(startMs + skewSeconds * 1_000);
  const hostNow = () => Math.floor(clock.now() / 1_000) - skewSeconds;
  const date = () => ({ date: new Date(hostNow() * 1_000).toUTCString() });
  let issued = 0;
  const host = await ScriptedHost.start((asked, number) => {
    const said = answer(asked, number);
    if (said) return { ...said, headers: { ...date(), ...said.headers } };
    if (asked.path !== '/api/v3/tokens') return { headers: date(), body: { data: {} } };
    const isGood = Math.abs(Number(asked.headers.authorization) - hostNow()) < 60;
    issued += isGood ? 1 : 0;
    return isGood
      ? { status: 201, headers: date(), body: { token: `token-${issued}`, endsAt: hostNow() + 3_600 } }
      : { status: 401, headers: date(), body: {} };
  });
  onTestFinished(() => host.close());
  const tokenIssuer: TokenIssuer = {
    path: '/tokens',
    sign: (at) => ({ authorization: String(at) }),
    tokenIn: ({ status, body }: IssuerAnswer) => {
      if (status >= 300) throw new SourceProblem('no token', 'Give another key.');
      return body as { token: string; endsAt: number };
    },
    hasEnded: ({ status }) => status === 401,
  };
  const { requests } = requestsTo(`${host.origin}/api/v3`, { authorization: {}, tokenIssuer, clock });
  /** What each request for something else than a token had. */
  const carried = () =>
    host.asked.filter(({ path }) => path !== '/api/v3/tokens').map(({ headers }) => headers.authorization);
  return { host, requests, clock, carried, issued: () => issued };
}

const isToken = ({ path }: Asked): boolean => path === '/api/v3/tokens';

describe('an issued token', () => {
  test('An issued token is asked for once by requests that need it at the same moment', async () => {
    const { requests, carried, issued } = await issuing(() => undefined);
    await Promise.all([requests.get('/a'), requests.get('/b'), requests.post('/c', {}), requests.graphql('{ x }', {})]);
    expect(carried()).toEqual(Array.from({ length: 4 }, () => 'Bearer token-1'));
    expect(issued()).toBe(1);
  });

  test('An issued token is renewed before it ends', async () => {
    const { requests, clock, carried } = await issuing(() => undefined);
    await requests.get('/a');
    await clock.sleep(54 * 60_000, new AbortController().signal);
    await requests.get('/b');
    await clock.sleep(2 * 60_000, new AbortController().signal);
    await requests.get('/c');
    expect(carried()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  test('An issued token that ends while a limit is waited for is renewed before the request is sent', async () => {
    const { requests, carried } = await issuing((asked, number) =>
      !isToken(asked) && number === 2 ? { status: 429, headers: { 'retry-after': '3600' } } : undefined,
    );
    await requests.get('/a');
    expect(carried()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('An issued token that the host refuses is renewed once, at once', async () => {
    const { requests, clock, carried, issued } = await issuing(({ path, headers }) =>
      path === '/api/v3/b' && headers.authorization === 'Bearer token-1' ? { status: 401 } : undefined,
    );
    await requests.get('/a');
    await clock.sleep(60_000, new AbortController().signal);
    await Promise.all([requests.get('/b'), requests.get('/b')]);
    expect(carried().slice(-2)).toEqual(['Bearer token-2', 'Bearer token-2']);
    expect([issued(), clock.waitedMs()]).toEqual([2, 60_000]);
  });

  test('An issued token that the host does not know yet everywhere gets a moment', async () => {
    const { requests, carried, issued } = await issuing((asked, number) =>
      !isToken(asked) && number < 4 ? { status: 401 } : undefined,
    );
    await requests.get('/a');
    expect(carried()).toEqual(Array.from({ length: 3 }, () => 'Bearer token-1'));
    expect(issued()).toBe(1);
  });

  test('An issued token that is refused for good is given up, with what to do', async () => {
    const { requests, carried, issued } = await issuing((asked) => (isToken(asked) ? undefined : { status: 401 }));
    const problem = await requests.get('/a').catch((error: unknown) => error);
    expect(problem).toMatchObject({ message: expect.stringContaining('does not accept the token that it has issued') });
    expect(issued()).toBeLessThanOrEqual(3);
    expect(carried()).toHaveLength(maxTries);
  });

  test('An issued token that has ended is renewed though our clock was set back meanwhile', async () => {
    let hasEnded = false;
    const { requests, clock, carried } = await issuing(({ headers }) =>
      hasEnded && headers.authorization === 'Bearer token-1' ? { status: 401 } : undefined,
    );
    await requests.get('/a');
    hasEnded = true;
    const { signal } = new AbortController();
    await clock.sleep(-3_600_000, signal);
    await requests.get('/b');
    expect(carried()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  test('An issued token that is not given for a lasting reason is not asked for again', async () => {
    const { host, requests } = await issuing((asked) => (isToken(asked) ? { status: 403, body: {} } : undefined));
    for (const path of ['/a', '/b']) await expect(requests.get(path)).rejects.toThrow('no token');
    expect(host.paths).toEqual(['/api/v3/tokens']);
  });

  test('An issued token is waited for where the host limits those who ask for one', async () => {
    const { requests, clock, carried } = await issuing((asked, number) =>
      isToken(asked) && number === 1 ? { status: 429, headers: { 'retry-after': '42' } } : undefined,
    );
    await requests.get('/a');
    expect(carried()).toEqual(['Bearer token-1']);
    expect(clock.waitedMs()).toBe(42_000);
  });

  test.each([-7_200, 259_200])('An issued token is given though our clock is %i seconds off', async (skewSeconds) => {
    const { host, requests, clock, carried } = await issuing(() => undefined, skewSeconds);
    await requests.get('/a');
    await clock.sleep(56 * 60_000, new AbortController().signal);
    await requests.get('/b');
    expect(carried()).toEqual(['Bearer token-1', 'Bearer token-2']);
    // The first proof was signed by our clock; what was learned from its refusal is kept.
    expect(host.paths.filter((path) => path === '/api/v3/tokens')).toHaveLength(3);
  });

  test('An issued token goes to no other host, and is not even asked for there', async () => {
    const other = await ScriptedHost.start(() => ({}));
    onTestFinished(() => other.close());
    const { host, requests } = await issuing(({ path }) =>
      path === '/api/v3/report' ? { status: 302, headers: { location: `${other.origin}/x` } } : undefined,
    );
    await expect(requests.get('/report')).rejects.toBeInstanceOf(SourceProblem);
    await requests.get('/plain', { isAnonymous: true });
    expect(other.asked).toEqual([]);
    expect(host.asked.at(-1)?.headers.authorization).toBeUndefined();
  });
});
