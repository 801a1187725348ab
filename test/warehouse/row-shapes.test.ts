import { describe, expect, test } from 'vitest';
import {
  columnPicker,
  columnReader,
  differentColumns,
  rowComparison,
  rowMaker,
  textLength,
  varyingColumns,
} from '../../src/warehouse/row-shapes.ts';

describe('functions over rows of certain columns', () => {
  test('Functions over rows of certain columns make a row of values in their order', () => {
    const make = rowMaker(['b', 'a']);
    expect(Object.entries(make([1, null]))).toEqual([
      ['b', 1],
      ['a', null],
    ]);
    expect(rowMaker([])([])).toEqual({});
  });

  test('Functions over rows of certain columns pick columns, and null where a row lacks one', () => {
    const row = { a: false, b: 'x', c: 3 };
    const picked = columnPicker(['a', 'd', 'c'])(row);
    expect(picked).toEqual({ a: false, d: null, c: 3 });
    expect(picked).not.toBe(row);
  });

  test('Functions over rows of certain columns take any name for what it is: a name', () => {
    const name = '"]; throw new Error(`x`); //\n\u2028';
    expect(rowMaker([name])([1])).toEqual({ [name]: 1 });
    expect(columnPicker([name])({ [name]: 2 })).toEqual({ [name]: 2 });
    expect(rowComparison([name])({ [name]: 1 }, { [name]: 2 })).toBe(true);
    expect(columnReader([name])([{ [name]: 2 }], [true])).toEqual([[2]]);
    expect(varyingColumns([name])([{ [name]: 1 }, { [name]: 2 }], [true])).toEqual([true]);
    expect(textLength([name])({ [name]: 'abc' })).toBe(3);
  });

  test('Functions over rows of certain columns read the columns that are wanted, of all rows', () => {
    const rows = [
      { a: 1, b: 'x', c: true },
      { a: 2, c: false },
      { a: 1, b: 'y' },
    ];
    const read = columnReader(['a', 'b', 'c']);
    expect(read(rows, [true, true, false])).toEqual([[1, 2, 1], ['x', null, 'y'], []]);
    expect(read([], [true, true, true])).toEqual([[], [], []]);
  });

  test('Functions over rows of certain columns tell which of the wanted columns vary from row to row: one that a row lacks is null', () => {
    const areVarying = varyingColumns(['a', 'b', 'c', 'd']);
    const all = [true, true, true, true];
    expect(areVarying([{ a: 1, b: null, c: 0 }, { a: 1, c: null, d: null }, { a: 1 }], all)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    const rows = [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
      { a: 2, b: 1, d: 1 },
    ];
    expect(areVarying(rows, all)).toEqual([true, false, false, true]);
    expect(areVarying(rows, [true, true, true, false])).toEqual([true, false, false, false]);
    expect(areVarying([{}], all)).toEqual([false, false, false, false]);
    expect(areVarying([], all)).toEqual([false, false, false, false]);
  });

  test('Functions over rows of certain columns tell in which columns any row differs from the one beside it', () => {
    const areOther = differentColumns(['a', 'b', 'c']);
    const ones = [
      { a: 1, b: null, c: 1 },
      { a: 2, b: 'x' },
      { a: 3, c: null },
    ];
    expect(areOther(ones, ones)).toEqual([false, false, false]);
    expect(
      areOther(ones, [
        { a: 1, b: null, c: 1 },
        { a: 0, b: 'x' },
        { a: 3, c: 0 },
      ]),
    ).toEqual([true, false, true]);
    expect(
      areOther(ones, [
        { a: 1, b: 'y', c: 1 },
        { a: 2, b: 'x' },
        { a: 3, c: null },
      ]),
    ).toEqual([false, true, false]);
    expect(areOther([], [])).toEqual([false, false, false]);
  });

  test('Functions over rows of certain columns are the same for another list of the same columns', () => {
    expect(rowComparison(['a', 'b'])).toBe(rowComparison(['a', 'b']));
    expect(rowComparison(['a', 'b'])).not.toBe(rowComparison(['b', 'a']));
  });

  test('Functions over rows of certain columns count the characters of texts', () => {
    expect(textLength(['a', 'b', 'c'])({ a: 'four', b: null, d: 'not this one' })).toBe(4);
    expect(textLength([])({ a: 'four' })).toBe(0);
  });

  test('Functions over rows of certain columns compare rows in these columns and no others', () => {
    const isOther = rowComparison(['a', 'b']);
    expect(isOther({ a: 1, b: null, c: 1 } as never, { a: 1, b: null, c: 2 } as never)).toBe(false);
    expect(isOther({ a: 1, b: null }, { a: 1, b: 0 })).toBe(true);
    expect(rowComparison([])({}, {})).toBe(false);
  });
});
