import { describe, expect, test } from 'vitest';
import { chosenGroups } from '../../../src/charts/chosen-groups.ts';
import { clausesOf, noChange } from '../../../web/src/view/change-words.ts';

describe('the sentence of a page', () => {
  const figure = (called: string, now: number, before: number, better: 'lower' | 'higher' | null, n = 50) => ({
    called,
    figure: { now: { value: now, n }, before: { value: before, n }, measure: 'number' as const, better },
  });
  const clauses = (figures: Parameters<typeof clausesOf>[0]) =>
    clausesOf(figures).map(({ called, became }) => `${called} ${became}`);

  test('names the largest change for the better and for the worse', () => {
    expect(
      clauses([figure('a', 11, 10, 'higher'), figure('b', 20, 10, 'higher'), figure('c', 12, 10, 'lower')]),
    ).toEqual(['b rose to 20', 'c rose to 12']);
  });

  test('names a change that is neither only where there is no other', () => {
    expect(clauses([figure('a', 20, 10, null), figure('b', 9, 10, 'lower')])).toEqual(['b fell to 9']);
    expect(clauses([figure('a', 20, 10, null)])).toEqual(['a rose to 20']);
  });

  test('is silent about few rows and about nothing to compare with', () => {
    expect(clauses([figure('a', 20, 10, 'higher', 3)])).toEqual([]);
    expect(
      clauses([
        { called: 'a', figure: { now: { value: 1, n: 9 }, before: undefined, measure: 'number', better: null } },
      ]),
    ).toEqual([]);
  });

  test('tells few rows from no change', () => {
    expect(noChange([figure('a', 20, 10, 'higher', 3), figure('b', 10, 10, null)], 'issues', 'May')).toBe(
      'Too few issues to compare with May.',
    );
    const first = { called: 'a', figure: { ...figure('a', 1, 1, null).figure, before: { value: null, n: 0 } } };
    expect(noChange([first], 'issues', 'May')).toBe('Too few issues to compare with May.');
    expect(noChange([figure('b', 10, 10, null)], 'issues', 'May')).toBe('Hardly anything differs from May.');
  });
});

describe('groups that are drawn', () => {
  const group = (key: string, value: number) => ({ key, points: [{ value, n: value }] });
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key, at) => group(key, at + 1));

  test('of a stack are the largest and the others added up', () => {
    const drawn = chosenGroups(many, 'stacked-bar');
    expect(drawn.map(({ key }) => key)).toEqual(['h', 'g', 'f', 'e', 'd', 'others']);
    expect(drawn.at(-1)?.points[0]?.value).toBe(6);
  });

  test('of lines are the largest only: averages do not add up', () => {
    expect(chosenGroups(many, 'line').map(({ key }) => key)).toEqual(['h', 'g', 'f', 'e', 'd', 'c']);
  });

  test('keep an order of their own where they have one', () => {
    const known = [{ key: 'success' }, { key: 'failure' }];
    const drawn = chosenGroups([group('other', 9), group('failure', 8), group('success', 1)], 'stacked-bar', known);
    expect(drawn.map(({ key }) => key)).toEqual(['success', 'failure', 'other']);
  });
});
