import { expect, test } from 'vitest';
import { initialsOf, toneOf } from '../../../web/src/view/initials.ts';

test('Initials are of the first and the last name, in any script, and never of a symbol', () => {
  const initials = (...names: string[]) => names.map(initialsOf);
  expect(initials('Ada Quill', 'Siobhán O’Connell-Reyes', 'Wulandari', 'ليلى الحداد')).toEqual(['AQ', 'SR', 'W', 'لا']);
  expect(initials('@ada', 'northwind-pay-ci', '', '…')).toEqual(['A', 'NC', '', '']);
});

test('A colour belongs to an id, and all eight are used', () => {
  const ids = Array.from({ length: 200 }, (_, at) => `4650fc90-2acb-59cf-87b2-${at}`);
  expect(ids.map(toneOf)).toEqual(ids.map(toneOf));
  expect(new Set(ids.map(toneOf))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
});
