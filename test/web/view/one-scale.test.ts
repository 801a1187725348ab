import { expect, test } from 'vitest';
import { shareScale } from '../../../web/src/view/one-scale.ts';

const course = (...values: readonly (number | null)[]) => ({ name: 'one', points: values.map((value) => ({ value })) });

test('Two courses share a chart only within four times of each other', () => {
  expect(shareScale(course(1, 2, 3), course(4, 12, null))).toBe(true);
  expect(shareScale(course(1, 2, 3), course(4, 12.1, null))).toBe(false);
  expect(shareScale(course(40, 2), course(9, 1))).toBe(false);
  expect(shareScale(course(null), course(9, 1))).toBe(true);
  // One high week does not help the others.
  expect(shareScale(course(1, 1, 1, 9), course(8, 9, 9, 10))).toBe(false);
});
