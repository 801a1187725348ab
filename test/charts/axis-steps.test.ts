import { expect, test } from 'vitest';
import { axisOf, lowestOf } from '../../src/charts/chart-axes.ts';

const axisAround = (values: readonly number[]) => axisOf(lowestOf(values, false), Math.max(...values), 'count');

test('An axis begins close below lines that run far above 0', () => {
  expect(axisAround([90, 100]).min).toBeGreaterThan(80);
  expect(axisAround([10, 100]).min).toBe(0);
});

test('An axis begins at 0 where all values are the same, so that they do not lie on its edge', () => {
  expect(axisAround([1, 1, 1])).toEqual({ min: 0, max: 1, interval: 1 });
  expect(axisAround([2_776])).toMatchObject({ min: 0 });
});
