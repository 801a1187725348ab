import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/main.ts';
import type { Page, SourceKind } from '../../src/sources/source.ts';
import { openTemporaryApp } from '../setup/temporary-app.ts';
import { toyKind } from './toy-source.ts';
import { addToySource, toySyncs } from './toy-sync.ts';

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp();
});
afterAll(() => app.close());

/** A source of one stream, whose only page comes when the test says so. */
async function slowSource() {
  let reads = 0;
  let begun = () => {};
  const isRead = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let answer = (_: Page) => {};
  const page = new Promise<Page>((resolve) => {
    answer = resolve;
  });
  const kind: SourceKind = {
    ...toyKind,
    open: ({ signal }) => ({
      check: async () => ({ sees: [], missing: [] }),
      streams: () => [
        {
          id: 'x',
          name: 'x',
          scope: '',
          feeds: [],
          read: () => {
            reads += 1;
            begun();
            const aborted = new Promise<never>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            });
            return Promise.race([page, aborted]);
          },
        },
      ],
    }),
  };
  const { sourceId } = await addToySource(app);
  const syncs = toySyncs(app, '', { prepare: async () => ({ kind, settings: {}, mayBePrivate: () => true }) });
  return { syncs, sourceId, isRead, answer: () => answer({ records: [], count: 1, at: 0 }), reads: () => reads };
}

const signalOf = () => new AbortController();

test('Two who want a source read at once in one process wait for the same sync, and both hear of it', async () => {
  const { syncs, sourceId, isRead, answer, reads } = await slowSource();
  const heard: string[] = [];
  const sync = (who: string) => syncs.sync(sourceId, { signal: signalOf().signal, tell: () => heard.push(who) });
  const first = sync('first');
  await isRead;
  const second = sync('second');
  answer();
  expect(await Promise.all([first, second])).toEqual([{ outcome: 'complete' }, { outcome: 'complete' }]);
  expect(reads()).toBe(1);
  expect(heard).toEqual(['first', 'second']);
});

test('Who only waits may give up, and the sync goes on', async () => {
  const { syncs, sourceId, isRead, answer } = await slowSource();
  const first = syncs.sync(sourceId, { signal: signalOf().signal });
  await isRead;
  const impatient = signalOf();
  const second = syncs.sync(sourceId, { signal: impatient.signal });
  impatient.abort(new Error('no patience'));
  await expect(second).rejects.toThrow('no patience');
  answer();
  expect(await first).toEqual({ outcome: 'complete' });
});

test('Who began it and gives up ends it, and the source can be read again', async () => {
  const { syncs, sourceId, isRead, answer } = await slowSource();
  const impatient = signalOf();
  const first = syncs.sync(sourceId, { signal: impatient.signal });
  await isRead;
  impatient.abort(new Error('no patience'));
  await expect(first).rejects.toThrow('no patience');
  answer();
  expect(await syncs.sync(sourceId, { signal: signalOf().signal })).toEqual({ outcome: 'complete' });
});
