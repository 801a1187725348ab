import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfiguredSources } from '../../src/configured-sources/configured-sources.ts';
import { type SyncLine, syncLines } from '../../src/control/sync-lines.ts';
import type { Syncs } from '../../src/jobs/syncs.ts';
import { Secrets } from '../../src/secrets/secrets.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { localKind } from '../configured-sources/toy-kind.ts';
import { embedded, noon, type StoreHome, someOrganisation } from '../conformance/stores.ts';

let place: StoreHome;
let store: Store;
beforeAll(async () => {
  place = await embedded.placeWithTables();
  store = await openStore(place);
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

async function linesWith(sync: Syncs['sync'], names: readonly string[] = ['A']): Promise<AsyncGenerator<SyncLine>> {
  const { id: organisationId } = await someOrganisation(store);
  const sources = new ConfiguredSources({
    store,
    secrets: new Secrets({ folder: place.folder }),
    kinds: [localKind],
    now: () => noon,
    sourceHosts: [],
    environment: {},
  });
  const by = { organisationId, actor: { via: 'demo' }, origin: 'command' } as const;
  for (const name of names) await sources.add(by, 'clone', name, { path: '/src' });
  return syncLines({ sources, syncs: { sync } }, organisationId, { org: organisationId });
}

async function all(lines: AsyncIterable<SyncLine>): Promise<SyncLine[]> {
  const collected: SyncLine[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}

const stream = { id: 's', scope: 'acme/web', stream: 'issues', phase: 'newest', done: 1 } as const;

test('Each source ends with how it went, after the newest of each of its streams', async () => {
  const lines = await linesWith(
    async (sourceId, { tell }) => {
      tell?.({ sourceId, stream, limits: [] });
      tell?.({ sourceId, stream: { ...stream, done: 2 }, limits: [] });
      return { outcome: 'complete' };
    },
    ['A', 'B'],
  );
  expect(await all(lines)).toMatchObject([
    { source: 'A', scope: 'acme/web', done: 2 },
    { source: 'A', outcome: 'complete', error: null },
    { source: 'B', scope: 'acme/web', done: 2 },
    { source: 'B', outcome: 'complete', error: null },
  ]);
});

test('A source of which some could not be read says why, and what it brought', async () => {
  const lines = await linesWith(async (sourceId, { tell }) => {
    const lastError = { message: 'No access', toDo: 'Give the token access.' };
    for (const id of ['s', 't']) {
      const failed = { ...stream, id, phase: 'failed', lastError } as const;
      tell?.({ sourceId, stream: failed, limits: [], rows: { issues: { new: 3, changed: 1 } } });
    }
    tell?.({ sourceId, stream: { ...stream, id: 'u', phase: 'complete' }, limits: [] });
    return { outcome: 'partial' };
  });
  expect((await all(lines)).at(-1)).toMatchObject({
    outcome: 'partial',
    rows: { issues: { new: 3, changed: 1 } },
    error: expect.stringMatching(/^issues of acme\/web: No access \(1 more could not be read/),
    to_do: 'Give the token access.',
  });
});

test('A source that another process reads is called busy', async () => {
  expect(await all(await linesWith(async () => undefined))).toMatchObject([
    { outcome: 'busy', to_do: expect.any(String) },
  ]);
});

test('A failure that nobody foresaw is passed on', async () => {
  const lines = await linesWith(async () => {
    throw new Error('unforeseen');
  });
  await expect(all(lines)).rejects.toThrow('unforeseen');
});

test('Who stops listening stops the sync, and waits until nothing of it is under way', async () => {
  let isOver = false;
  const lines = await linesWith(
    (sourceId, { signal, tell }) =>
      new Promise((_, reject) => {
        tell?.({ sourceId, stream, limits: [] });
        signal.addEventListener('abort', () => {
          isOver = true;
          reject(signal.reason);
        });
      }),
  );
  expect((await lines.next()).value).toMatchObject({ source: 'A', done: 1 });
  await lines.return(undefined);
  expect(isOver).toBe(true);
});
