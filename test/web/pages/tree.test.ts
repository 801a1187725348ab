import { expect, test } from 'vitest';
import type { Groups, ListedSquad } from '../../../web/src/ask/people-answers.ts';
import { mayDrop, shownLines, treeLines, treeStep } from '../../../web/src/pages/people/tree.ts';

const squad = (id: string, parent: string | null): ListedSquad => ({
  id,
  name: id,
  level: null,
  parent: parent === null ? null : { id: parent, name: parent },
  lead: null,
  members: [],
});
const groups: Groups = {
  teams: [
    { id: 't1', name: 'Web', department: null, members: [] },
    { id: 't2', name: 'Payments', department: 'Product', members: [{ id: 'p', name: 'Ada' }] },
  ],
  squads: [squad('low', 'mid'), squad('top', null), squad('mid', 'top')],
};
const lines = treeLines(groups);
const line = (key: string) => lines.find((one) => one.key === key) as (typeof lines)[number];

test('Departments come with their teams, squads below those above them, nothing twice', () => {
  expect(lines.map(({ name, depth }) => `${depth} ${name}`)).toEqual([
    '0 Product',
    '1 Payments',
    '0 No department',
    '1 Web',
    '0 top',
    '1 mid',
    '2 low',
  ]);
  expect(line('team t2').count).toBe(1);
});

test('Squads that lead round in a circle are shown all the same', () => {
  const circle = treeLines({ teams: [], squads: [squad('a', 'b'), squad('b', 'a'), squad('c', 'gone')] });
  expect(circle.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
});

test('What is below a closed line is not shown, however deep', () => {
  const shown = shownLines(lines, new Set(['squad top', 'department Product']));
  expect(shown.map(({ name }) => name)).toEqual(['Product', 'No department', 'Web', 'top']);
});

test('Arrow keys walk, open and close as in every tree', () => {
  const closed = new Set<string>();
  expect(treeStep(lines, 0, 'ArrowDown', closed)).toEqual({ to: 1 });
  expect(treeStep(lines, 0, 'ArrowUp', closed)).toEqual({ to: 0 });
  expect(treeStep(lines, 1, 'End', closed)).toEqual({ to: 6 });
  expect(treeStep(lines, 4, 'ArrowLeft', closed)).toEqual({ toggle: 'squad top' });
  expect(treeStep(lines, 6, 'ArrowLeft', closed)).toEqual({ to: 5 });
  expect(treeStep(lines, 4, 'ArrowRight', closed)).toEqual({ to: 5 });
  expect(treeStep(lines, 4, 'ArrowRight', new Set(['squad top']))).toEqual({ toggle: 'squad top' });
  expect(treeStep(lines, 6, 'ArrowRight', closed)).toBeUndefined();
  expect(treeStep(lines, 0, 'x', closed)).toBeUndefined();
});

test('A team goes into a department, a squad below one that is not below it', () => {
  expect(mayDrop(lines, line('team t1'), line('department Product'))).toBe(true);
  expect(mayDrop(lines, line('team t2'), line('department Product'))).toBe(false);
  expect(mayDrop(lines, line('squad low'), line('squad top'))).toBe(true);
  expect(mayDrop(lines, line('squad top'), line('squad low'))).toBe(false);
  expect(mayDrop(lines, line('squad top'), line('squad top'))).toBe(false);
  expect(mayDrop(lines, line('squad top'), line('team t1'))).toBe(false);
});
