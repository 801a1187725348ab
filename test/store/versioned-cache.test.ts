import { expect, test } from 'vitest';
import type { Reading, Store } from '../../src/store/store.ts';
import { VersionedCache } from '../../src/store/versioned-cache.ts';

/** A store in which the test decides when a read begins to be answered, and what it sees. */
class SteeredStore implements Pick<Store, 'read' | 'versionOf'> {
  version = 1;
  known: number | undefined = 1;
  readonly #waiting: (() => void)[] = [];

  versionOf(): number | undefined {
    return this.known;
  }

  async read<T>(work: (session: Reading) => Promise<T>): Promise<T> {
    const seen = this.version;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return work({ rows: async <R>() => [{ version: seen }] as R[] });
  }

  change(): void {
    this.version += 1;
    this.known = this.version;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  answerAll(): void {
    for (const answer of this.#waiting.splice(0)) answer();
  }
}

function steered() {
  const store = new SteeredStore();
  let loads = 0;
  const cache = new VersionedCache<{ version: number }>(store as unknown as Store, 10, async (session) => {
    loads += 1;
    const [row] = await session.rows<{ version: number }>('');
    return { version: row?.version ?? 0 };
  });
  return { store, cache, loads: () => loads };
}

test('A burst of the same question is one piece of work, and the answer is kept', async () => {
  const { store, cache, loads } = steered();
  const burst = [cache.get('o'), cache.get('o'), cache.get('o')];
  store.answerAll();
  const answers = await Promise.all(burst);
  expect(new Set(answers).size).toBe(1);
  expect(await cache.get('o')).toBe(answers[0]);
  expect(loads()).toBe(1);
});

test('A question asked after a change never joins work begun before it', async () => {
  const { store, cache } = steered();
  const before = cache.get('o');
  store.change();
  const after = cache.get('o');
  expect(store.waiting).toBe(2);
  store.answerAll();
  expect((await before).version).toBe(1);
  expect((await after).version).toBe(2);
  expect((await cache.get('o')).version).toBe(2);
});

test('Nothing is kept for longer than it is known to be good', async () => {
  const { store, cache, loads } = steered();
  const first = cache.get('o');
  store.answerAll();
  await first;
  store.known = undefined;
  const unsure = cache.get('o');
  store.answerAll();
  await unsure;
  expect(loads()).toBe(2);
  store.known = store.version;
  store.change();
  const changed = cache.get('o');
  store.answerAll();
  expect((await changed).version).toBe(2);
});

test('Work that fails is not kept, and the next question tries again', async () => {
  const store = new SteeredStore();
  let fails = true;
  const cache = new VersionedCache<object>(store as unknown as Store, 10, async () => {
    if (fails) throw new Error('away');
    return {};
  });
  const failing = cache.get('o');
  store.answerAll();
  await expect(failing).rejects.toThrow('away');
  fails = false;
  const next = cache.get('o');
  store.answerAll();
  await expect(next).resolves.toEqual({});
});
