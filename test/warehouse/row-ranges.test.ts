import { expect, test } from 'vitest';
import { joinRanges, type RowRange } from '../../src/warehouse/moving-port.ts';

const range = (at: number, rows: number, bytes = 0): RowRange<number> => ({ from: at, to: at, rows, bytes });

test('Neighbouring rows are joined up to the most rows and the most bytes, and none is lost', () => {
  const ranges = [
    range(1, 40),
    range(2, 60),
    range(3, 1),
    range(4, 10, 500),
    range(5, 10, 501),
    range(6, 500),
    range(7, 1),
  ];
  expect(joinRanges(ranges, { rows: 100, bytes: 1_000 })).toEqual([
    { from: 1, to: 2, rows: 100, bytes: 0 },
    { from: 3, to: 4, rows: 11, bytes: 500 },
    { from: 5, to: 5, rows: 10, bytes: 501 },
    // More than may be, but all of one range.
    { from: 6, to: 6, rows: 500, bytes: 0 },
    { from: 7, to: 7, rows: 1, bytes: 0 },
  ]);
  expect(joinRanges([], { rows: 100, bytes: 1_000 })).toEqual([]);
});
