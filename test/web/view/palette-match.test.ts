import { expect, test } from 'vitest';
import { matchOf } from '../../../web/src/view/palette-match.ts';

const entries = [
  ['Reviews', 'page'],
  ['Changes requested rate', 'changes-requested-rate'],
  ['Review rate', 'review-rate'],
  ['Code review guild', 'team'],
  ['First review wait', 'pickup-time'],
  ['Zoë Préviews', 'person'],
];

/** What is found, the best first. */
const found = (search: string): string[] =>
  entries
    .map((entry) => ({ name: entry[0] ?? '', score: matchOf(search, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name);

test('The palette has the exact name first, then names that begin with what is typed', () => {
  expect(found('reviews')[0]).toBe('Reviews');
  expect(found('review')).toEqual(['Reviews', 'Review rate', 'Code review guild', 'First review wait', 'Zoë Préviews']);
});

test('The palette finds a metric by its name in requests, and a person without accents', () => {
  expect(found('pickup-time')).toEqual(['First review wait']);
  expect(found('metric pickup time')).toEqual([]);
  expect(found('zoe previews')).toEqual(['Zoë Préviews']);
  expect(found('guild code')).toEqual(['Code review guild']);
  expect(found('nothing like it')).toEqual([]);
});
