import { expect, test } from 'vitest';
import { personSentence } from '../../../web/src/pages/person/words.ts';

const figure = (value: number | null, n: number | null, before?: number) => ({
  isFirst: false,
  verdict: before === undefined ? null : ('about_the_same' as const),
  now: { value, n },
  before: before === undefined ? undefined : { value: before, n: before },
});

test('The sentence says how many were opened, and before, and a median only of enough', () => {
  expect(personSentence([figure(12, 12, 15), figure(183_600, 12)], true)).toBe(
    'You opened 12 pull requests, 15 before. Half of them took less than 2d 3h in all.',
  );
  expect(personSentence([figure(1, 1, 2), figure(183_600, 1)], false)).toBe('They opened 1 pull request, 2 before.');
  expect(personSentence([figure(7, 7), figure(null, null)], false)).toBe('They opened 7 pull requests.');
});

test('A number before that is of a part of its window only is not said', () => {
  expect(personSentence([{ ...figure(12, 12, 3), verdict: 'no_comparison' }, figure(null, null)], true)).toBe(
    'You opened 12 pull requests.',
  );
});

test('Nothing is said of nothing, and nothing before the answer is there', () => {
  expect(personSentence([figure(null, null, 3), figure(null, null)], false)).toBe(
    'They opened no pull request in this window, 3 before.',
  );
  expect(personSentence([{ ...figure(null, null), isFirst: true }], true)).toBe(' ');
});
