import { describe, expect, test } from 'vitest';
import { rangesOf, splitPlaces } from '../../../src/warehouse/duckdb/row-ids.ts';

const groupRows = 122_880;
const uncommitted = '36028797018960001';

describe('the ranges that rows lie in', () => {
  test('The ranges that rows lie in are one for rows that lie together, and one more for a row far away', () => {
    const together = Array.from({ length: 1_000 }, (_, i) => String(2_000_000 + i * 3));
    expect(rangesOf(together)).toEqual([{ from: 2_000_000, to: 2_002_997 }]);
    expect(rangesOf(['7', ...together])).toEqual([
      { from: 7, to: 7 },
      { from: 2_000_000, to: 2_002_997 },
    ]);
  });

  test('The ranges that rows lie in stay few however many rows there are, and cover every one of them', () => {
    const places = Array.from({ length: 5_000 }, (_, i) => (i * i * 7_919) % 10_000_000);
    const ranges = rangesOf(places.map(String));
    expect(ranges.length).toBe(32);
    expect(places.filter((place) => !ranges.some(({ from, to }) => place >= from && place <= to))).toEqual([]);
  });

  test('The ranges that rows lie in leave out the widest gaps', () => {
    const places = Array.from({ length: 40 }, (_, i) => i * 3_000 + (i >= 20 ? 1_000_000 : 0));
    const ranges = rangesOf(places.map(String));
    expect(ranges.some(({ from, to }) => from <= 57_000 && to >= 1_060_000)).toBe(false);
  });
});

describe('rows that are changed', () => {
  const costs = { groupInPlace: 200, groupMoved: 100, vectorMoved: 10, rowMoved: 0.2 };
  const at = (places: readonly (number | string)[]) => places.map((place) => ({ place: String(place) }));
  const crowd = Array.from({ length: 2_000 }, (_, i) => 5 * groupRows + i * 3);

  test('Rows that are changed stay where many lie in one row group, and move where one is alone', () => {
    const { stay, move } = splitPlaces(at([...crowd, 17]), costs, groupRows);
    expect(stay).toEqual(at(crowd));
    expect(move).toEqual(at([17]));
  });

  test('Rows that are changed stay while they are not committed: they are in memory', () => {
    expect(splitPlaces(at([uncommitted]), costs, groupRows)).toEqual({ stay: at([uncommitted]), move: [] });
  });

  test('Rows that are changed stay when reading them in full width costs more than writing a narrow column again', () => {
    const lone = Array.from({ length: 100 }, (_, i) => i * groupRows);
    expect(splitPlaces(at(lone), { ...costs, groupInPlace: 12 }, groupRows).move).toEqual([]);
    expect(splitPlaces(at(lone), costs, groupRows).stay).toEqual([]);
  });
});
