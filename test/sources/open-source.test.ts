import { describe, expect, onTestFinished, test } from 'vitest';
import type { Requests } from '../../src/sources/host-port.ts';
import { type OpeningOptions, openSource } from '../../src/sources/open-source.ts';
import { type SettingValues, type SourceKind, SourceProblem } from '../../src/sources/source.ts';
import { allowHostsField, keepFreeField } from '../../src/sources/source-settings.ts';
import { virtualClock } from '../jobs/toy-sync.ts';
import { type Script, ScriptedHost } from './http/scripted-host.ts';

async function host(script: Script): Promise<ScriptedHost> {
  const started = await ScriptedHost.start(script);
  onTestFinished(() => started.close());
  return started;
}

const address = { name: 'base_url', label: 'Address', meaning: 'address', type: 'address' } as const;
const kind: Omit<SourceKind, 'open'> = {
  kind: 'plain',
  label: 'Plain',
  meaning: 'for tests',
  accounts: 'own',
  settings: [{ ...address, usual: 'https://api.host.example' }, allowHostsField, keepFreeField],
};

/** The requests that a source of a kind gets. */
function opened(of: Omit<SourceKind, 'open'>, settings: SettingValues, more: Pick<OpeningOptions, 'isShort'> = {}) {
  const clock = virtualClock();
  let given: Requests | undefined;
  const open: SourceKind['open'] = ({ requests }) => {
    given = requests;
    return { check: async () => ({ sees: [], missing: [] }), streams: () => [] };
  };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal, clock, ...more };
  const source = openSource({ ...of, open }, settings, options);
  onTestFinished(() => source.close());
  if (!given) throw new Error('it was not opened');
  return { requests: given, clock, limits: source.limits };
}

describe('a source asks its host', () => {
  test('A source asks its host with its token, unless its kind has another way', async () => {
    const seen = await host(() => ({}));
    const settings = { base_url: seen.origin, token: 'abc' };
    await opened(kind, settings).requests.get('/x');
    const authorization = ({ token }: SettingValues) => ({ 'private-token': String(token) });
    await opened({ ...kind, authorization }, settings).requests.get('/x');
    expect(seen.asked.map(({ headers }) => [headers.authorization, headers['private-token']])).toEqual([
      ['Bearer abc', undefined],
      [undefined, 'abc'],
    ]);
  });

  test.each(['two\nlines', '“quoted”'])(
    'A source asks its host never with a token that no header can hold, and does not repeat it',
    (token) => {
      let problem: unknown;
      try {
        opened(kind, { base_url: 'http://127.0.0.1:9', token });
      } catch (error) {
        problem = error;
      }
      expect(problem).toBeInstanceOf(SourceProblem);
      expect(String(problem)).toContain('characters that no token has');
      expect(String(problem)).not.toContain(token);
    },
  );

  test('A source asks its host and others only where its kind or its settings allow them', async () => {
    const other = await host(() => ({}));
    const seen = await host(() => ({ status: 302, headers: { location: `${other.origin}/x` } }));
    const name = new URL(other.origin).host;
    const settings = { base_url: seen.origin };
    await expect(opened(kind, settings).requests.get('/x')).rejects.toBeInstanceOf(SourceProblem);
    await opened(kind, { ...settings, allow_hosts: [name] }).requests.get('/x');
    await opened({ ...kind, allowedHosts: [name] }, settings).requests.get('/x');
    expect(other.asked).toHaveLength(2);
  });

  test('A source asks its host follows links of the provider’s own at base_url, and keeps as much of its limit free as the settings say', async () => {
    const seen = await host((_, number) => ({
      headers: {
        ...(number === 1 ? { link: '<https://api.host.example/items?page=2>; rel="next"' } : {}),
        date: 'Sat, 01 Jun 2024 00:00:00 GMT',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '60',
        'x-ratelimit-reset': String(Date.UTC(2024, 5, 1) / 1_000 + 100),
      },
    }));
    const { requests, clock, limits } = opened(kind, { base_url: seen.origin, keep_free_percent: 70 });
    const { nextPage = '' } = await requests.get('/items');
    await requests.get(nextPage);
    expect(seen.paths).toEqual(['/items', '/items?page=2']);
    expect(clock.waitedMs()).toBe(101_000);
    expect(limits()).toMatchObject([{ limit: 100, remaining: 60 }]);
    // Somebody who waits for a check does not wait for what is kept free.
    const short = opened(kind, { base_url: seen.origin, keep_free_percent: 70 }, { isShort: true });
    await short.requests.get('/items');
    await short.requests.get('/items');
    expect(short.clock.waitedMs()).toBe(0);
  });
});

test('A kind without base_url has nobody to ask', async () => {
  const { requests, limits } = opened({ ...kind, settings: [] }, {});
  await expect(requests.get('/x')).rejects.toBeInstanceOf(SourceProblem);
  expect(limits()).toEqual([]);
});
