import { expect, test } from 'vitest';
import { matchingGroups, newGroupName } from '../../../web/src/pages/person/picked-groups.ts';

const known = ['Web', 'Web Platform', 'Mobile web', 'Ledger'].map((name) => ({ id: name, name }));
const found = (typed: string, chosen: readonly string[] = []) =>
  matchingGroups(known, typed, chosen).map(({ name }) => name);

test('Typing finds groups by their names, the exact one first, and none that is chosen already', () => {
  expect(found('web')).toEqual(['Web', 'Web Platform', 'Mobile web']);
  expect(found(' WEB ', ['web'])).toEqual(['Web Platform', 'Mobile web']);
  expect(found('')).toEqual([]);
  expect(found('nothing')).toEqual([]);
});

test('A new group is offered only where no group has the name', () => {
  expect(newGroupName(known, ' Search ', [])).toBe('Search');
  expect(newGroupName(known, 'ledger', [])).toBeUndefined();
  expect(newGroupName(known, 'Search', ['search'])).toBeUndefined();
  expect(newGroupName(known, ' ', [])).toBeUndefined();
});
