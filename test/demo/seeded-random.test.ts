import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.ts';

const draws = (random: SeededRandom, count: number) => Array.from({ length: count }, () => random.next());

/** sfc32 once more, in arithmetic that cannot overflow, to check the fast one against. */
function* referenceDraws(seed: string): Generator<number> {
  const digest = createHash('sha256').update(seed).digest();
  const low32 = (value: bigint) => BigInt.asUintN(32, value);
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => BigInt(digest.readUInt32LE(at))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  for (;;) {
    const sum = low32(a + b + counter);
    counter = low32(counter + 1n);
    a = b ^ (b >> 9n);
    b = low32(c + (c << 3n));
    c = low32((low32(c << 21n) | (c >> 11n)) + sum);
    yield Number(sum) / 2 ** 32;
  }
}

describe('the seeded random source', () => {
  test('The seeded random source is sfc32, started from the hash of its seed', () => {
    const reference = referenceDraws('plumb');
    const random = new SeededRandom('plumb');
    for (let draw = 0; draw < 1000; draw += 1) expect(random.next()).toBe(reference.next().value);
  });

  test('The seeded random source repeats itself for the same seed and for no other', () => {
    expect(draws(new SeededRandom('a'), 20)).toEqual(draws(new SeededRandom('a'), 20));
    expect(draws(new SeededRandom('a'), 20)).not.toEqual(draws(new SeededRandom('b'), 20));
  });

  test('The seeded random source draws whole numbers evenly, both ends included', () => {
    const random = new SeededRandom('dice');
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 60_000; draw += 1) {
      const face = random.integer(1, 6);
      counts.set(face, (counts.get(face) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  test('The seeded random source takes chances as often as asked', () => {
    const random = new SeededRandom('coin');
    const taken = Array.from({ length: 20_000 }, () => random.chance(0.3)).filter(Boolean).length;
    expect(Math.abs(taken - 6000)).toBeLessThan(300);
    expect(random.chance(0)).toBe(false);
    expect(random.chance(1)).toBe(true);
  });

  test('The seeded random source picks by weight, and never what weighs nothing', () => {
    const random = new SeededRandom('scales');
    const weights: Record<string, number> = { never: 0, seldom: 1, often: 3, nor: 0 };
    const picks = Array.from({ length: 20_000 }, () =>
      random.pickWeighted(Object.keys(weights), (item) => weights[item] ?? 0),
    );
    expect(new Set(picks)).toEqual(new Set(['seldom', 'often']));
    expect(Math.abs(picks.filter((item) => item === 'often').length - 15_000)).toBeLessThan(400);
  });

  test('The seeded random source refuses to pick from nothing', () => {
    const random = new SeededRandom('void');
    expect(() => random.pick([])).toThrow(RangeError);
    expect(() => random.pickWeighted(['a'], () => 0)).toThrow(RangeError);
  });

  test('The seeded random source shuffles a copy that keeps every item', () => {
    const list = Array.from({ length: 100 }, (_, index) => index);
    const shuffled = new SeededRandom('cards').sample(list, list.length);
    expect(shuffled).not.toEqual(list);
    expect([...shuffled].sort((one, other) => one - other)).toEqual(list);
    expect(list[0]).toBe(0);
  });

  test('The seeded random source samples and shares without taking an item twice', () => {
    const random = new SeededRandom('cake');
    const list = ['a', 'b', 'c', 'd'];
    expect(new Set(random.sample(list, 3)).size).toBe(3);
    expect(random.sample(list, 9)).toHaveLength(4);
    expect(random.share(list, 0.5).size).toBe(2);
    expect(random.share(list, 0.01).size).toBe(1);
    expect(random.share([], 0.5).size).toBe(0);
  });
});
