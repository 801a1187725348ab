import { expect, test } from 'vitest';
import { GroupedWrites } from '../../src/store/grouped-writes.ts';

test('What comes while something is written is written together next, and each learns what became of its own', async () => {
  const groups: (readonly number[])[] = [];
  const writes = new GroupedWrites(async (together: readonly number[]) => {
    groups.push(together);
    await new Promise(setImmediate);
    return together.map((one) => one * 10);
  });
  expect(await Promise.all([1, 2, 3].map((one) => writes.add(one)))).toEqual([10, 20, 30]);
  expect(groups).toEqual([[1], [2, 3]]);
});

test('A group that fails has failed for all that are in it, and for nobody after it', async () => {
  const writes = new GroupedWrites(async (together: readonly number[]) => {
    await new Promise(setImmediate);
    if (together.includes(2)) throw new Error('full');
    return together;
  });
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map((one) => writes.add(one)));
  expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await writes.add(4)).toBe(4);
});
