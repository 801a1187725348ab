import { expect, test } from 'vitest';
import { ticketOf } from '../../../src/admission/ticket.ts';
import { type Directories, DirectoryPublisher } from '../../../src/ingest/publish/directory-publisher.ts';
import { Refusal } from '../../../src/refusal.ts';

/** Tables that a test publishes to, and a store whose version a test raises. */
function begin(directories?: Directories, published?: () => Promise<void>) {
  const state = { version: 1, published: 0, publications: 0, fails: 0 };
  const troubles: unknown[] = [];
  const store = { versionOf: () => state.version, isShared: false, read: async () => [{ id: 'acme' }] as never };
  const publisher = new DirectoryPublisher(
    directories ?? store,
    {
      publish: async (_id, writes) => {
        await published?.();
        writes();
        state.publications += 1;
        const { version } = state;
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (state.fails > 0) {
          state.fails -= 1;
          throw new Error('cannot publish');
        }
        state.published = version;
      },
      shown: () => (state.published > 0 ? state.published : undefined),
      isPublished: async () => state.published > 0,
      hasTables: () => state.published > 0,
    },
    (error) => troubles.push(error),
  );
  return { state, publisher, troubles };
}

const asking = (maxMs: number) => ticketOf({ organisationId: 'acme', keyId: 'k' }, maxMs);

test('A question reminds the publisher of what is not under way, once however many ask', async () => {
  const { state, publisher } = begin();
  await Promise.all([publisher.whenPublished('acme'), publisher.whenPublished('acme')]);
  expect(state).toMatchObject({ published: 1, publications: 1 });
});

test('A question is refused after its waiting time, whatever it waits for', async () => {
  const { state, publisher } = begin();
  state.fails = 10;
  const asked = publisher.whenPublished('acme', asking(50));
  await expect(asked).rejects.toMatchObject({ reason: 'unavailable' });
  // What failed is not tried again for a question, but after a while.
  expect(state.publications).toBe(1);
  publisher.close();
});

test('A version that takes long to be read is charged to the waiting time', async () => {
  const { publisher } = begin({ versionOf: () => undefined, isShared: true, read: () => new Promise(() => {}) });
  const asked = publisher.whenPublished('acme', asking(50));
  await expect(asked).rejects.toMatchObject({ reason: 'unavailable' });
});

test('A question waits for the directory as it was when it came, not for later changes', async () => {
  const { state, publisher } = begin();
  const writing = setInterval(() => {
    state.version += 1;
    publisher.publish('acme');
  }, 2);
  try {
    for (let i = 0; i < 5; i += 1) await publisher.whenPublished('acme', asking(200));
  } finally {
    clearInterval(writing);
  }
});

test('The look at the tables is not charged to the waiting time, what is written is', async () => {
  const lookMs = 1_500;
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, lookMs));
  const { publisher } = begin(undefined, slowly);
  const ticket = asking(lookMs);
  await publisher.whenPublished('acme', ticket);
  expect(ticket.waiting.spentMs).toBeLessThan(lookMs);
});

test('An organisation that does not exist is refused at once', async () => {
  const { publisher } = begin(undefined, () => Promise.reject(new Refusal('not-found', 'There is none.')));
  await expect(publisher.whenPublished('acme')).rejects.toMatchObject({ reason: 'not-found' });
});

test('A question waits for the publication of a change that is under way', async () => {
  const { state, publisher } = begin();
  const changed = publisher.publish('acme');
  await publisher.whenPublished('acme');
  expect(state).toMatchObject({ published: 1, publications: 1 });
  await changed;
});

test('Changes of one version are published once, and a newer one again', async () => {
  const { state, publisher } = begin();
  const both = [publisher.publish('acme'), publisher.publish('acme')];
  state.version = 2;
  const newer = publisher.publish('acme');
  await Promise.all([...both, newer]);
  expect(state).toMatchObject({ published: 2, publications: 2 });
});

test('Changes that come while one is published are all published by the next one', async () => {
  const { state, publisher } = begin();
  const changes = [publisher.publish('acme')];
  for (let i = 0; i < 20; i += 1) {
    state.version += 1;
    changes.push(publisher.publish('acme'));
  }
  await Promise.all(changes);
  expect(state).toMatchObject({ published: 21, publications: 2 });
});

test('A publication that fails is tried again, and whoever changed something hears of it', async () => {
  const { state, publisher, troubles } = begin();
  state.fails = 1;
  await expect(publisher.publish('acme')).rejects.toThrow('cannot publish');
  await publisher.whenPublished('acme');
  expect(state).toMatchObject({ published: 1, publications: 2 });
  expect(troubles).toEqual([]);
  publisher.close();
});

test('Tables that cannot be read refuse questions at once, and no failure is left that nobody hears', async () => {
  const refusal = new Refusal('unavailable', 'unreadable');
  const { publisher } = begin(undefined, () => Promise.reject(refusal));
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  try {
    const fail = () => expect(publisher.publish('acme')).rejects.toBe(refusal);
    // Until the next attempt is further away than a question waits.
    for (let attempt = 0; attempt < 3; attempt += 1) await fail();
    await expect(publisher.whenPublished('acme')).rejects.toBe(refusal);
    await fail();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', hear);
    publisher.close();
  }
});

test('After a start every organisation is published', async () => {
  const { state, publisher } = begin();
  await publisher.publishAll();
  expect(state.published).toBe(1);
});

test('After a start, a few are published at a time, and one that a question waits for begins at once', async () => {
  const begun: string[] = [];
  const published = new Set<string>();
  const ids = ['a', 'b', 'c', 'd', 'e'];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const publisher = new DirectoryPublisher(
    { versionOf: () => 1, isShared: false, read: async () => ids.map((id) => ({ id })) as never },
    {
      publish: async (id) => {
        begun.push(id);
        // The first ones are large.
        if ('abc'.includes(id)) await released;
        published.add(id);
      },
      shown: (id) => (published.has(id) ? 1 : undefined),
      isPublished: async (id) => published.has(id),
      hasTables: () => true,
    },
    () => {},
  );
  const all = publisher.publishAll();
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  await publisher.whenPublished('e');
  expect(begun).toEqual(['a', 'b', 'c', 'e']);
  release();
  await all;
  expect(begun).toEqual(['a', 'b', 'c', 'e', 'd']);
});

test('Nothing is tried again once the publisher is closed', async () => {
  const { state, publisher } = begin();
  state.fails = 1;
  const failed = expect(publisher.publish('acme')).rejects.toThrow('cannot publish');
  publisher.close();
  await failed;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(state.publications).toBe(1);
});
