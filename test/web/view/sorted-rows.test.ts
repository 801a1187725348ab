import { expect, test } from 'vitest';
import { isSortable, nextOrder, sortedRows, sortKey } from '../../../web/src/view/sorted-rows.ts';

interface Change {
  readonly name: string;
  readonly time: number | null;
}
const rows: readonly Change[] = [
  { name: 'api 10', time: 3_600 },
  { name: 'api 9', time: null },
  { name: 'web', time: 7_200 },
];
/** What React makes of a tag, as far as it is looked at. */
const element = (props: object) => ({ props });
const name = { name: 'Name', cell: (row: Change): unknown => element({ children: row.name }) };
const time = { name: 'Time', cell: (row: Change): unknown => element({ value: row.time, children: 'in words' }) };
const namesBy = (column: typeof name, direction: 'ascending' | 'descending') =>
  sortedRows(rows, column, { column: column.name, direction }).map((row) => row.name);

test('Rows are sorted by the number that a cell shows, and what has none comes last either way', () => {
  expect(namesBy(time, 'ascending')).toEqual(['api 10', 'web', 'api 9']);
  expect(namesBy(time, 'descending')).toEqual(['web', 'api 10', 'api 9']);
});

test('Names are sorted as people count', () => {
  expect(namesBy(name, 'ascending')).toEqual(['api 9', 'api 10', 'web']);
  expect(namesBy(name, 'descending')).toEqual(['web', 'api 10', 'api 9']);
});

test('A written number is a number, and a cell of buttons has no order', () => {
  const key = (cell: unknown) => sortKey({ name: 'x', cell: () => cell }, undefined);
  expect([key('1\u202f269'), key('1,269'), key('6.4\u202f%'), key('\u22123'), key('$7.68')]).toEqual([
    1_269, 1_269, 6.4, -3, 7.68,
  ]);
  expect([key('3h 12m'), key('–'), key('')]).toEqual(['3h 12m', null, null]);
  expect(key(element({}))).toBeUndefined();
  expect(sortKey({ ...time, sortBy: () => 5 }, rows[0] as Change)).toBe(5);
});

test('A column has an order where any row shows something, and a column of buttons has none', () => {
  const shows = (...cells: readonly unknown[]) => isSortable({ name: 'x', cell: (cell: unknown) => cell }, cells);
  expect([shows(null, 'late'), shows(false, element({ value: 3 })), shows('–', 'late')]).toEqual([true, true, true]);
  expect([shows(), shows(null, false), shows(false, element({}))]).toEqual([false, false, false]);
  expect(isSortable({ ...time, isAction: true }, rows)).toBe(false);
});

test('A column is sorted, turned, and given up again', () => {
  const first = nextOrder(undefined, 'Time', true);
  expect(first).toEqual({ column: 'Time', direction: 'descending' });
  const second = nextOrder(first, 'Time', true);
  expect(second).toEqual({ column: 'Time', direction: 'ascending' });
  expect(nextOrder(second, 'Time', true)).toBeUndefined();
  expect(nextOrder(second, 'Name', false)).toEqual({ column: 'Name', direction: 'ascending' });
});
