import { describe, expect, test } from 'vitest';
import { columnPicker, rowComparison, rowMaker } from '../../src/warehouse/row-shapes.ts';

describe('functions over rows of certain columns', () => {
  test('make a row of values in their order', () => {
    const make = rowMaker(['b', 'a']);
    expect(Object.entries(make([1, null]))).toEqual([
      ['b', 1],
      ['a', null],
    ]);
    expect(rowMaker([])([])).toEqual({});
  });

  test('pick columns, and null where a row lacks one', () => {
    const row = { a: false, b: 'x', c: 3 };
    const picked = columnPicker(['a', 'd', 'c'])(row);
    expect(picked).toEqual({ a: false, d: null, c: 3 });
    expect(picked).not.toBe(row);
  });

  test('take any name for what it is: a name', () => {
    const name = '"]; throw new Error(`x`); //\n\u2028';
    expect(rowMaker([name])([1])).toEqual({ [name]: 1 });
    expect(columnPicker([name])({ [name]: 2 })).toEqual({ [name]: 2 });
    expect(rowComparison([name])({ [name]: 1 }, { [name]: 2 })).toBe(true);
  });

  test('compare rows in these columns and no others', () => {
    const isOther = rowComparison(['a', 'b']);
    expect(isOther({ a: 1, b: null, c: 1 } as never, { a: 1, b: null, c: 2 } as never)).toBe(false);
    expect(isOther({ a: 1, b: null }, { a: 1, b: 0 })).toBe(true);
    expect(rowComparison([])({}, {})).toBe(false);
  });
});
