import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemOf } from '../../scripts/fault-trial.mjs';
import { faults } from './faults.mjs';

const root = join(import.meta.dirname, '..', '..');

test('Every fault is still one: its text stands in its file once, and is replaced by another', () => {
  const wrong = faults.flatMap((fault) => {
    const problem = problemOf(fault, root);
    return problem === undefined ? [] : `${fault.name}: ${problem}`;
  });
  expect(wrong).toEqual([]);
});

test('A fault whose text is gone, or stands in several places, is said to be none', () => {
  const [known] = faults;
  const gone = { name: 'gone', promise: '', file: known?.file ?? '', replace: 'no such text', by: '' };
  expect(problemOf(gone, root)).toMatch(/^Its text occurs 0 times in /);
  expect(problemOf({ ...gone, replace: 'import ' }, root)).toMatch(/^Its text occurs \d+ times in /);
  expect(problemOf({ ...gone, file: 'src/no-such-file.ts' }, root)).toBe('There is no src/no-such-file.ts.');
});
