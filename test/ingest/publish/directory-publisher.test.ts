import { expect, test } from 'vitest';
import { DirectoryPublisher } from '../../../src/ingest/publish/directory-publisher.ts';
import { Refusal } from '../../../src/refusal.ts';
import { WaitingTime } from '../../../src/turns/waiting-time.ts';

/** Tables that a test publishes to, and a store whose version a test raises. */
function begin() {
  const state = { version: 1, published: 0, publications: 0, fails: 0 };
  const troubles: unknown[] = [];
  const store = { versionOf: () => state.version, read: async () => [{ id: 'acme' }] as never };
  const publisher = new DirectoryPublisher(
    store,
    {
      publish: async (_id, progress) => {
        state.publications += 1;
        progress.queued();
        progress.begun();
        const { version } = state;
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (state.fails > 0) {
          state.fails -= 1;
          throw new Error('cannot publish');
        }
        state.published = version;
      },
      isPublished: async () => state.published === state.version,
      hasTables: () => state.published > 0,
    },
    (error) => troubles.push(error),
  );
  return { state, publisher, troubles };
}

const soon = { waiting: new WaitingTime(50) };

test('a question publishes nothing itself: it is refused when nobody else does', async () => {
  const { state, publisher } = begin();
  await expect(publisher.whenPublished('acme', soon)).rejects.toBeInstanceOf(Refusal);
  expect(state.publications).toBe(0);
});

test('a question waits for the publication of a change that is under way', async () => {
  const { state, publisher } = begin();
  const changed = publisher.publish('acme');
  await publisher.whenPublished('acme');
  expect(state).toMatchObject({ published: 1, publications: 1 });
  await changed;
});

test('changes of one version are published once, and a newer one anew', async () => {
  const { state, publisher } = begin();
  const both = [publisher.publish('acme'), publisher.publish('acme')];
  state.version = 2;
  const newer = publisher.publish('acme');
  await Promise.all([...both, newer]);
  expect(state).toMatchObject({ published: 2, publications: 2 });
});

test('a publication that fails is tried again, and whoever changed something is told', async () => {
  const { state, publisher, troubles } = begin();
  state.fails = 1;
  await expect(publisher.publish('acme')).rejects.toThrow('cannot publish');
  await publisher.whenPublished('acme');
  expect(state).toMatchObject({ published: 1, publications: 2 });
  expect(troubles).toEqual([]);
  publisher.close();
});

test('after a start every organisation is published', async () => {
  const { state, publisher } = begin();
  await publisher.publishAll();
  expect(state.published).toBe(1);
});

test('after a start, organisations that questions wait for come first', async () => {
  const order: string[] = [];
  const published = new Set<string>();
  const ids = ['a', 'b', 'c', 'd'];
  const publisher = new DirectoryPublisher(
    { versionOf: () => 1, read: async () => ids.map((id) => ({ id })) as never },
    {
      publish: async (id) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        order.push(id);
        published.add(id);
      },
      isPublished: async (id) => published.has(id),
      hasTables: () => true,
    },
    () => {},
  );
  await Promise.all([publisher.publishAll(), publisher.whenPublished('d')]);
  expect(order).toEqual(['a', 'd', 'b', 'c']);
});

test('nothing is tried again once the publisher is closed', async () => {
  const { state, publisher } = begin();
  state.fails = 1;
  const failed = expect(publisher.publish('acme')).rejects.toThrow('cannot publish');
  publisher.close();
  await failed;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(state.publications).toBe(1);
});
