import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregations, metrics } from '../../../web/src/ask/catalogue.ts';
import type { MetricName } from '../../../web/src/ask/metric-facts.ts';
import { choicesOfPath } from '../../../web/src/ask/page-choices.ts';
import {
  firstState,
  fits,
  fromSearch,
  maxSearchLength,
  noFilters,
  type PanelState,
  toSearch,
  unreadParameters,
  type ViewState,
} from '../../../web/src/ask/view-state.ts';
import { comparisons, presets } from '../../../web/src/ask/windows.ts';

const day = fc
  .integer({ min: Date.UTC(1001, 0, 1), max: Date.UTC(9899, 11, 31) })
  .map((time) => new Date(time).toISOString().slice(0, 10));
const window = fc.tuple(day, day).map(([a, b]) => (a <= b ? { start: a, end: b } : { start: b, end: a }));
// Names hold whatever people write: commas, tildes, ampersands, other scripts, half of a surrogate pair excepted.
const name = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('~', ',', '~c', '~t,', '&', '=', '+', '%2C', 'n', 'v', '.'),
);
const names = fc.array(name, { maxLength: 6 });
const panel: fc.Arbitrary<PanelState> = fc
  .record(
    {
      metric: fc.constantFrom(...(Object.keys(metrics) as MetricName[])),
      aggregation: fc.constantFrom(...aggregations),
      window,
      where: fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), fc.option(fc.oneof(name, fc.constant(''))), {
        minKeys: 1,
        maxKeys: 3,
        noNullPrototype: true,
      }),
    },
    { requiredKeys: ['metric'] },
  )
  .map((made) => made as PanelState);
const state: fc.Arbitrary<ViewState> = fc
  .record(
    {
      range: fc.oneof(fc.constantFrom(...presets), window),
      compare: fc.constantFrom(...comparisons),
      filters: fc.record({ team: names, repository: names, person: names, department: names, squad: names }),
      own: fc.dictionary(fc.stringMatching(/^x[a-z0-9-]{0,10}$/), name, { maxKeys: 3, noNullPrototype: true }),
      panel,
    },
    { requiredKeys: ['range', 'compare', 'filters', 'own'] },
  )
  .map((made) => made as ViewState);

describe('the state in the address', () => {
  test('Two thousand random states come back as they were, in 2,000 characters', () => {
    fc.assert(
      fc.property(state.filter(fits), (one) => {
        const search = toSearch(one);
        expect(search.length).toBeLessThanOrEqual(maxSearchLength);
        expect(fromSearch(search)).toEqual(one);
        expect(fromSearch(`?${search}`)).toEqual(one);
      }),
      { numRuns: 2_000 },
    );
  });

  test('What every page starts with needs no characters', () => {
    expect(toSearch(firstState)).toBe('');
    expect(fromSearch('')).toEqual(firstState);
  });

  test('Any text is read as some state', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = fromSearch(text);
        expect(fromSearch(toSearch(read))).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['r=2026-02-30.2026-03-01', 'a day that does not exist'],
    ['r=2026-03-02.2026-03-01', 'a window that ends before it begins'],
    ['r=tomorrow', 'a word that is no range'],
    ['c=sideways', 'a word that is no comparison'],
    ['panel=no-such-metric', 'a metric that does not exist'],
  ])('%s is left out: %s', (search) => {
    expect(fromSearch(search)).toEqual(firstState);
  });

  test('A state that is too long does not fit', () => {
    const person = Array.from({ length: 60 }, () => '5f0c8a52-8d3e-5d6b-9c1a-2f4b7e9d0a11');
    expect(fits({ ...firstState, filters: { ...noFilters, person } })).toBe(false);
    expect(fits({ ...firstState, filters: { ...noFilters, person: person.slice(0, 40) } })).toBe(true);
  });
});

test('What an address has that no page or only another one understands is named', () => {
  const choices = choicesOfPath('/explore');
  const known = 'r=7d&c=none&team=a&repo=b&person=c&dept=d&squad=e&panel=cycle-time&metric=cycle-time&where=%7B%7D';
  expect(unreadParameters(known, choices)).toEqual([]);
  expect(unreadParameters('r=2026-02-01.2026-01-01&c=all&panel=none&survey=1&Metric=x&team=x', choices)).toEqual([
    'r',
    'c',
    'panel',
    'survey',
    'Metric',
  ]);
});
