import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tookTooLong } from '../../src/configured-sources/check-source.ts';
import { ConfiguredSources } from '../../src/configured-sources/configured-sources.ts';
import { sourceOperationsOf } from '../../src/control/source-operations.ts';
import type { Actor } from '../../src/directory/directory.ts';
import type { SyncProgress } from '../../src/jobs/sync-progress.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import type { SourceKind } from '../../src/sources/source.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { localKind, toyKind } from '../configured-sources/toy-kind.ts';
import { embedded, noon, type StoreHome, someOrganisation } from '../conformance/stores.ts';

/** A kind that asks its host who it is. */
const asking: SourceKind = {
  ...toyKind,
  open: ({ requests }) => ({
    check: async () => {
      const { body, headers } = await requests.get('/whoami');
      return { account: String((body as { name: string }).name), sees: [headers['x-sees'] ?? ''], missing: [] };
    },
    streams: () => [],
  }),
};

let place: StoreHome;
let store: Store;
let host: Server;
let baseUrl = '';
beforeAll(async () => {
  place = await embedded.placeWithTables();
  store = await openStore(place);
  host = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer good';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json', 'x-sees': '3 repositories' });
    response.end(JSON.stringify(isKnown ? { name: 'ada' } : { message: 'internal words of the host' }));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  host.close();
  await store.close();
  await place.remove();
});

const command: Actor = { via: 'command', user: 'me@here' };

async function operationsFor(actor: Actor = command) {
  const { id: org } = await someOrganisation(store);
  const secrets = new Secrets({ folder: place.folder, secret: 'word' });
  const now = () => noon;
  const environment = { TOY_TOKEN: 'good' };
  const sources = new ConfiguredSources({
    store,
    secrets,
    now,
    kinds: [asking, localKind],
    sourceHosts: [],
    environment,
  });
  let progress: SyncProgress | undefined;
  const parts = {
    directory: { store, now },
    sources,
    secrets,
    progressOf: () => progress,
    baseUrl: () => 'https://plumb.example',
  };
  return {
    org,
    operations: sourceOperationsOf(parts, actor),
    as: (other: Actor) => sourceOperationsOf(parts, other),
    run: (running: SyncProgress) => {
      progress = running;
    },
  };
}

describe('by command', () => {
  test('A source is added with the address and the secret of its webhooks, and listed without them', async () => {
    const { org, operations } = await operationsFor();
    const settings = { base_url: baseUrl, token: 'good' };
    const added = await operations.addSource({ org, kind: 'toy', name: 'Code', settings });
    expect(added).toEqual({
      id: expect.any(String),
      kind: 'toy',
      name: 'Code',
      webhook_url: `https://plumb.example/webhooks/toy/${added.id}`,
      webhook_secret: expect.stringMatching(/^.{43}$/),
      check: expect.objectContaining({
        id: added.id,
        name: 'Code',
        ok: true,
        account: 'ada',
        sees: ['3 repositories'],
      }),
    });
    expect(await operations.listSources({ org })).toEqual([
      {
        id: added.id,
        kind: 'toy',
        name: 'Code',
        settings: { base_url: baseUrl, token: 'set', webhook_secret: 'set' },
        webhook_url: added.webhook_url,
        created_at: noon.toISOString(),
        last_sync: null,
        progress: null,
        not_seen: [],
      },
    ]);
    expect(await operations.removeSource({ org, source: 'Code' })).toEqual({ id: added.id, name: 'Code' });
    expect(await operations.listSources({ org })).toEqual([]);
  });

  test.each([
    [{ token: 'wrong' }, /cannot be read: .*127\.0\.0\.1.*Nothing was saved/],
    [{ token: 'env:TOY_TOKN' }, /no TOY_TOKN.*Nothing was saved\. With --no-check it is saved/],
    [{ token: 'good', base_url: 'http://127.0.0.1:1' }, /cannot be read.*Nothing was saved/],
  ])('A source that cannot be read with %j is not added, unless nobody wants to know', async (settings, says) => {
    const { org, operations } = await operationsFor();
    const given = { org, kind: 'toy', name: 'Code', settings: { base_url: baseUrl, ...settings } };
    const refused = operations.addSource(given);
    await expect(refused).rejects.toMatchObject({ reason: 'conflict', message: expect.stringMatching(says) });
    await expect(refused).rejects.not.toThrow(/internal words|wrong/);
    expect(await operations.listSources({ org })).toEqual([]);
    expect(await operations.addSource({ ...given, unchecked: true })).not.toHaveProperty('check');
    expect(await operations.listSources({ org })).toHaveLength(1);
  });

  test('A check says what a token can see, and what to do where it sees nothing, in our own words', async () => {
    const { org, operations } = await operationsFor();
    const settings = { base_url: baseUrl, token: 'env:TOY_TOKEN' };
    await operations.addSource({ org, kind: 'toy', name: 'Code', settings });
    const check = () => operations.checkSource({ org, source: 'Code' });
    expect(await check()).toMatchObject({ ok: true, account: 'ada', sees: ['3 repositories'], error: null });
    await operations.setSource({ org, source: 'Code', settings: { token: 'wrong' } });
    const refused = await check();
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringContaining('127.0.0.1'),
      to_do: expect.any(String),
    });
    expect(JSON.stringify(refused)).not.toMatch(/internal words|wrong/);
    await operations.setSource({ org, source: 'Code', settings: { token: 'env:TOY_TOKN' } });
    expect(await check()).toMatchObject({ ok: false, error: 'The environment of this server has no TOY_TOKN' });
  });

  test('A list says how far a sync is while it runs, and nothing of one that is over', async () => {
    const { org, operations, run } = await operationsFor();
    const { id } = await operations.addSource({ org, kind: 'clone', name: 'C', settings: { path: '/src' } });
    const stream = { id: 's', scope: 'acme/web', stream: 'pull requests', phase: 'newest', done: 5 } as const;
    const limits = [
      { interface: 'rest', remaining: 9 },
      { interface: 'graphql', remaining: 7, resetAt: '2027-01-31T12:30:00.000Z' },
    ] as const;
    const progress = { sourceId: id, phase: 'reading', done: 5, estimated: 8, limits, streams: [stream] } as const;
    run(progress);
    expect((await operations.listSources({ org }))[0]?.progress).toMatchObject({
      phase: 'reading',
      done: 5,
      estimated: 8,
      seconds_left: null,
      streams: [
        { source: 'C', scope: 'acme/web', done: 5, limit_left: 7, limit_resets_at: '2027-01-31T12:30:00.000Z' },
      ],
    });
    run({ ...progress, phase: 'complete' });
    expect((await operations.listSources({ org }))[0]?.progress).toBeNull();
  });

  test('What a source and its organisation are called may be wrong', async () => {
    const { org, operations } = await operationsFor();
    const missing = operations.checkSource({ org, source: 'Cod' });
    await expect(missing).rejects.toMatchObject({ reason: 'not-found' });
    await expect(operations.listSources({ org: 'nobody' })).rejects.toMatchObject({ reason: 'not-found' });
  });
});

describe.each<Actor>([
  { via: 'api', personId: 'p', keyId: 'k' },
  { via: 'sign-in', personId: 'p' },
])('from the $via', (actor) => {
  test('Neither files, nor variables, nor this machine can be named', async () => {
    const { org, operations } = await operationsFor(actor);
    const add = (kind: string, settings: Record<string, string>) =>
      operations.addSource({ org, kind, name: 'Code', settings });
    await expect(add('toy', { token: 'env:TOY_TOKEN' })).rejects.toMatchObject({ reason: 'bad-input' });
    await expect(add('toy', { token: 'file:/etc/hostname' })).rejects.toMatchObject({ reason: 'bad-input' });
    await expect(add('clone', { path: '/src' })).rejects.toMatchObject({ reason: 'bad-input' });
    await expect(add('toy', { token: 'good', base_url: baseUrl })).rejects.toThrow(/PLUMB_SOURCE_HOSTS/);
    expect(await operations.listSources({ org })).toEqual([]);
  });

  test('A name that comes to mean this machine later is refused when it is connected to', async () => {
    const { org, operations, as } = await operationsFor(actor);
    const settings = { token: 'good', base_url: baseUrl };
    const { id } = await as(command).addSource({ org, kind: 'toy', name: 'Code', settings, unchecked: true });
    await store.note((session) => session.run("UPDATE sources SET added_by = 'api' WHERE id = $1", [id]));
    expect(await operations.checkSource({ org, source: 'Code' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('private address'),
    });
  });
});

test('A check that waits for too long says so, and until when the rate limit is used up where that is why', () => {
  expect(tookTooLong([{ to: 'rest', remaining: 4_000, wholeAt: 1_717_200_000 }]).message).toBe(
    'It took more than 60 seconds',
  );
  expect(tookTooLong([{ to: 'rest', remaining: 0, wholeAt: 1_717_200_000 }]).message).toBe(
    'Its rate limit is used up until 2024-06-01T00:00:00.000Z',
  );
});
