import { expect, test } from 'vitest';
import { DigestOfRows, isSame } from '../../src/moving/move-tables.ts';

const digestOf = (...batches: Readonly<Record<string, unknown>>[][]) => {
  const digest = new DigestOfRows(['id', 'name']);
  for (const batch of batches) digest.add(batch);
  return digest.end();
};
const [ann, bob] = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
];

test('Rows are the same however they come in batches, and whatever other columns they have', () => {
  expect(isSame(digestOf([ann, bob]), digestOf([ann], [{ ...bob, more: true }]))).toBe(true);
});

test.each([
  ['another value', [ann, { ...bob, name: 'Bobby' }]],
  ['a value that is missing', [ann, { id: 2 }]],
  ['another order', [bob, ann]],
  ['a row fewer', [ann]],
  ['a row twice', [ann, bob, bob]],
])('Rows with %s are not the same', (_, others) => {
  expect(isSame(digestOf([ann, bob]), digestOf(others))).toBe(false);
});
