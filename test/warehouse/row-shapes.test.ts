import { describe, expect, test } from 'vitest';
import { columnPicker, rowComparison, rowMaker, varyingValues } from '../../src/warehouse/row-shapes.ts';

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
    expect(varyingValues([name])([{ [name]: 1 }, { [name]: 2 }], [true])).toEqual([[1, 2]]);
  });

  test('Functions over rows of certain columns read the wanted columns that vary from row to row: one that a row lacks is null', () => {
    const read = varyingValues(['a', 'b', 'c', 'd']);
    const all = [true, true, true, true];
    const same = undefined;
    expect(read([{ a: 1, b: null, c: 0 }, { a: 1, c: null, d: null }, { a: 1 }], all)).toEqual([
      same,
      same,
      [0, null, null],
      same,
    ]);
    const rows = [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
      { a: 2, b: 1, d: 1 },
    ];
    expect(read(rows, all)).toEqual([[1, 1, 2], same, same, [null, null, 1]]);
    expect(read(rows, [true, true, true, false])).toEqual([[1, 1, 2], same, same, same]);
    expect(read([{}], all)).toEqual([same, same, same, same]);
    expect(read([], all)).toEqual([same, same, same, same]);
  });

  test('Functions over rows of certain columns are the same for another list of the same columns', () => {
    expect(rowComparison(['a', 'b'])).toBe(rowComparison(['a', 'b']));
    expect(rowComparison(['a', 'b'])).not.toBe(rowComparison(['b', 'a']));
  });

  test('Functions over rows of certain columns compare rows in these columns and no others', () => {
    const isOther = rowComparison(['a', 'b']);
    expect(isOther({ a: 1, b: null, c: 1 } as never, { a: 1, b: null, c: 2 } as never)).toBe(false);
    expect(isOther({ a: 1, b: null }, { a: 1, b: 0 })).toBe(true);
    expect(rowComparison([])({}, {})).toBe(false);
  });
});
