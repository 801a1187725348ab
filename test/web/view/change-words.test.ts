import { describe, expect, test } from 'vitest';
import { chosenGroups } from '../../../src/charts/metric-chart.ts';
import { clausesOf, noChange } from '../../../src/conclusions/change-words.ts';
import type { Verdict } from '../../../src/query/verdict.ts';

describe('the sentence of a page', () => {
  const figure = (
    called: string,
    now: number,
    before: number,
    verdict: Verdict | null,
    isBetter: boolean | null = null,
  ) => ({
    called,
    figure: {
      now: { value: now, n: 50 },
      before: { value: before, n: 50 },
      measure: 'number' as const,
      verdict,
      isBetter,
    },
  });
  const clauses = (figures: Parameters<typeof clausesOf>[0]) =>
    clausesOf(figures).map(({ called, became }) => `${called} ${became}`);

  test('The sentence of a page names the largest change for the better and for the worse', () => {
    expect(
      clauses([figure('a', 11, 10, 'up', true), figure('b', 20, 10, 'up', true), figure('c', 12, 10, 'up', false)]),
    ).toEqual(['b rose to 20', 'c rose to 12']);
  });

  test('The sentence of a page names a change that is neither only where there is no other', () => {
    expect(clauses([figure('a', 20, 10, 'up'), figure('b', 9, 10, 'down', true)])).toEqual(['b fell to 9']);
    expect(clauses([figure('a', 20, 10, 'up')])).toEqual(['a rose to 20']);
  });

  test.each(['about_the_same', 'too_close', 'too_few', 'no_comparison', null] as const)(
    'is silent about a figure that doubled by a verdict of %s',
    (verdict) => expect(clauses([figure('a', 20, 10, verdict)])).toEqual([]),
  );

  test.each([
    [['about_the_same', 'too_few', null], 'About the same as May.'],
    [['too_close', 'no_comparison'], 'Too close to call against May.'],
    [['too_close', 'about_the_same'], 'Nothing differs clearly from May.'],
    [['too_few', 'no_comparison'], 'Too few issues to compare with May.'],
    [['no_comparison', null], 'No comparison with May: the data is not complete in both windows.'],
    [[null], 'Nothing to judge against May.'],
  ] as const)('says of the verdicts %s why it names none', (verdicts, said) => {
    expect(
      noChange(
        verdicts.map((verdict) => ({ verdict })),
        'issues',
        'May',
      ),
    ).toBe(said);
  });
});

describe('groups that are drawn', () => {
  const group = (key: string, value: number) => ({ key, points: [{ value, n: value }] });
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key, at) => group(key, at + 1));

  test('Groups that are drawn of a stack are the largest and the others added up', () => {
    const drawn = chosenGroups(many, 'stacked-bar');
    expect(drawn.map(({ key }) => key)).toEqual(['h', 'g', 'f', 'e', 'd', 'others']);
    expect(drawn.at(-1)?.points[0]?.value).toBe(6);
  });

  test('Groups that are drawn of lines are the largest only: averages do not add up', () => {
    expect(chosenGroups(many, 'line').map(({ key }) => key)).toEqual(['h', 'g', 'f', 'e', 'd', 'c']);
  });

  test('Groups that are drawn keep an order of their own where they have one', () => {
    const known = [{ key: 'success' }, { key: 'failure' }];
    const drawn = chosenGroups([group('other', 9), group('failure', 8), group('success', 1)], 'stacked-bar', known);
    expect(drawn.map(({ key }) => key)).toEqual(['success', 'failure', 'other']);
  });
});
