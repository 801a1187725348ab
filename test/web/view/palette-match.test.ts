import { expect, test } from 'vitest';
import { matchOf, rankedGroups } from '../../../web/src/view/palette-match.ts';

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

const entry = (heading: string, name: string) => ({
  key: `${heading} ${name}`,
  heading,
  name,
  words: [],
  pick: () => {},
});

test('The kind with the best match comes first, and in each kind the best', () => {
  const all = [
    entry('Pages', 'Code reviews'),
    entry('Teams', 'Review guild'),
    entry('Metrics', 'Reviewed pull requests'),
    entry('Metrics', 'Reviews'),
  ];
  const ranked = (search: string) =>
    rankedGroups(all, search).map(({ heading, entries: found }) => [heading, ...found.map(({ name }) => name)]);
  expect(ranked('reviews')).toEqual([
    ['Metrics', 'Reviews'],
    ['Pages', 'Code reviews'],
  ]);
  expect(ranked('review')).toEqual([
    ['Teams', 'Review guild'],
    ['Metrics', 'Reviewed pull requests', 'Reviews'],
    ['Pages', 'Code reviews'],
  ]);
  expect(ranked('')).toHaveLength(3);
});

test('A search shows a few of each kind', () => {
  const people = Array.from({ length: 30 }, (_, i) => entry('People', `Ada ${i}`));
  expect(rankedGroups(people, 'ada')[0]?.entries).toHaveLength(8);
  expect(rankedGroups(people, '')[0]?.entries).toHaveLength(20);
});
