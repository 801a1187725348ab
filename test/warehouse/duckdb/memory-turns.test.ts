import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/refusal.ts';
import { EngineError, MemoryTurns, understood } from '../../../src/warehouse/duckdb/engine-failures.ts';

const outOfMemory = () => understood('one', new EngineError(new Error('Out of Memory Error: failed to allocate')));

/** Work that needs all the memory: it fails beside anything else. */
function greedyWork() {
  let running = 0;
  let done = 0;
  const work = async (): Promise<number> => {
    running += 1;
    try {
      await sleep(5);
      if (running > 1) throw outOfMemory();
      done += 1;
      return done;
    } finally {
      running -= 1;
    }
  };
  return work;
}

test('What does not fit into memory beside others is done by itself, one after another', async () => {
  const turns = new MemoryTurns();
  const work = greedyWork();
  const all = await Promise.all(Array.from({ length: 6 }, () => turns.attempt(work)));
  expect(all.sort()).toEqual([1, 2, 3, 4, 5, 6]);
});

test('What does not fit beside somebody who goes on is tried again each time that one of them has ended', async () => {
  const turns = new MemoryTurns();
  const ends: (() => void)[] = [];
  const other = () => new Promise<void>((resolve) => ends.push(resolve));
  const others = [turns.attempt(other), turns.attempt(other)];
  let tries = 0;
  const large = turns.attempt(async () => {
    tries += 1;
    if (tries > 1) ends.shift()?.();
    if (tries < 4) throw outOfMemory();
    return tries;
  });
  expect(await large).toBe(4);
  await Promise.all(others);
});

test('What does not fit by itself is refused, and those behind it are not', async () => {
  const turns = new MemoryTurns();
  const tooLarge = turns.attempt(() => Promise.reject(outOfMemory()));
  const work = greedyWork();
  const others = [turns.attempt(work), turns.attempt(work)];
  await expect(tooLarge).rejects.toThrow(/needs more memory/);
  expect((await Promise.all(others)).sort()).toEqual([1, 2]);
});

test('Nothing is done twice that failed for another reason, or that somebody has read the beginning of', async () => {
  const turns = new MemoryTurns();
  const tried: string[] = [];
  const failing = (name: string, error: unknown) => () => {
    tried.push(name);
    return Promise.reject(error);
  };
  await expect(turns.attempt(failing('refused', new Refusal('bad-input', 'no')))).rejects.toThrow('no');
  await expect(turns.attempt(failing('read', outOfMemory()), () => false)).rejects.toThrow(/memory/);
  expect(tried).toEqual(['refused', 'read']);
});
