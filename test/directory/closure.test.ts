import { expect, test } from 'vitest';
import { closureOf } from '../../src/directory/published-copies.ts';

const closure = (next: Readonly<Record<string, readonly string[]>>) =>
  closureOf(new Map(Object.entries(next)))
    .map(([from, to]) => `${from}>${to}`)
    .sort();

test('Everything below, at any depth, each once', () => {
  const expected = ['a>b', 'a>c', 'a>d', 'a>e', 'b>d', 'b>e', 'c>d', 'c>e', 'd>e'];
  expect(closure({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['e'] })).toEqual(expected);
});

test('A circle ends, and everyone in it is below everyone in it', () => {
  expect(closure({ a: ['b'], b: ['a', 'c'] })).toEqual(['a>a', 'a>b', 'a>c', 'b>a', 'b>b', 'b>c']);
  expect(closure({ a: ['a'] })).toEqual(['a>a']);
});

test('Whoever leads to nothing has nothing below', () => {
  expect(closure({ a: [] })).toEqual([]);
});
