import { expect, test } from 'vitest';
import { binsOf } from '../../../web/src/view/distribution-bins.ts';

test('The values behind a number are counted in bins from zero, every one of them', () => {
  const bins = binsOf([0, 1, 2, 3, 4, 12], 3);
  expect(bins?.counts.reduce((sum, one) => sum + one, 0)).toBe(6);
  expect([bins?.from, bins?.to, bins?.isCut]).toEqual([0, 12, false]);
  expect(bins?.marked).toBe(3);
  expect(bins?.counts.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
});

test('A value far beyond all others does not press them into one bin, and is counted in the last', () => {
  const bins = binsOf([...Array.from({ length: 30 }, (_, at) => at + 1), 5_000], null);
  expect([bins?.to, bins?.isCut, bins?.marked]).toEqual([30, true, undefined]);
  expect(bins?.counts.at(-1)).toBeGreaterThan(1);
  expect(bins?.counts.reduce((sum, one) => sum + one, 0)).toBe(31);
});

test('Too few values, or values that are all alike, have no distribution', () => {
  expect(binsOf([1, 2, 3, 4], 2)).toBeUndefined();
  expect(binsOf([7, 7, 7, 7, 7], 7)).toBeUndefined();
  expect(binsOf([0, 0, 0, 0, 0], 0)).toBeUndefined();
});
