import { describe, expect, test } from 'vitest';
import { type Stretch, unsortedGroups } from '../../../src/warehouse/duckdb/recluster.ts';

const stretch = (group: number, from: number, to: number): Stretch => ({ group, from, middle: (from + to) / 2, to });
/** Each stretch a hundred seconds, one after another. */
const inOrder = (count: number) => Array.from({ length: count }, (_, i) => stretch(i, i * 100, i * 100 + 99));

describe('the stretches of a table that are worth sorting', () => {
  test('The stretches of a table that are worth sorting are none where rows are in order, or overlap a little at their ends', () => {
    expect(unsortedGroups(inOrder(30))).toEqual([]);
    expect(unsortedGroups(Array.from({ length: 30 }, (_, i) => stretch(i, i * 100, i * 100 + 180)))).toEqual([]);
  });

  test('The stretches of a table that are worth sorting are none where older years were loaded later: they lie elsewhere, but together', () => {
    const later = inOrder(10).map((one) => ({ ...one, group: one.group + 20 }));
    const first = inOrder(30)
      .slice(10)
      .map((one) => ({ ...one, group: one.group - 10 }));
    expect(unsortedGroups([...first, ...later])).toEqual([]);
  });

  test('The stretches of a table that are worth sorting are all of them where everything is mixed', () => {
    const mixed = Array.from({ length: 20 }, (_, i) => stretch(i, 0 + i, 2_000 - i));
    expect(unsortedGroups(mixed)).toEqual(mixed.map(({ group }) => group));
  });

  test('The stretches of a table that are worth sorting are those at the end where only the end is mixed', () => {
    const end = [30, 31, 32, 33, 34].map((group) => stretch(group, 2_000 + group, 3_400 - group));
    expect(unsortedGroups([...inOrder(30), ...end])).toEqual([30, 31, 32, 33, 34]);
  });

  test('The stretches of a table that are worth sorting are none where one stretch has a few old rows: sorting it would not make it narrower', () => {
    expect(unsortedGroups([...inOrder(30), stretch(30, 5, 3_099)])).toEqual([]);
    // Two of them, sorted, would still reach over half of everything each.
    expect(unsortedGroups([...inOrder(30), stretch(30, 5, 3_099), stretch(31, 5, 3_199)])).toEqual([]);
  });

  test('The stretches of a table that are worth sorting are none once they are sorted: nothing is sorted twice', () => {
    const sorted = Array.from({ length: 5 }, (_, i) => stretch(30 + i, i * 600, i * 600 + 599));
    expect(unsortedGroups([...inOrder(30), ...sorted])).toEqual([]);
  });

  test('The stretches of a table that are worth sorting are none where no row has a time, or all have the same', () => {
    expect(
      unsortedGroups(Array.from({ length: 9 }, (_, group) => ({ group, from: null, middle: null, to: null }))),
    ).toEqual([]);
    expect(unsortedGroups(Array.from({ length: 9 }, (_, group) => stretch(group, 7, 7)))).toEqual([]);
  });
});
