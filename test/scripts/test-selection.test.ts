import { expect, test } from 'vitest';
import type { AffectedTest } from '../../scripts/affected-tests.mjs';
import { batchesOf, chooseWithin, countByFolder } from '../../scripts/test-selection.mjs';

/** Test files `test/1.test.ts`, `test/2.test.ts` and so on, each one step further away and as long as given. */
function someTests(...seconds: readonly number[]) {
  const tests: AffectedTest[] = seconds.map((_, i) => ({
    file: `test/${i + 1}.test.ts`,
    steps: i + 1,
    sharedWords: 0,
  }));
  return { tests, secondsOf: (file: string) => seconds[numberOf(file) - 1] ?? 0 };
}
const numberOf = (file: string) => Number(/\d+/.exec(file)?.[0]);
const numbers = (tests: readonly AffectedTest[]) => tests.map(({ file }) => numberOf(file));

test('The nearest test files are chosen until the time is used up', () => {
  const { tests, secondsOf } = someTests(4, 4, 4, 4);
  const { chosen, leftOut } = chooseWithin(10, tests, secondsOf);
  expect([numbers(chosen), numbers(leftOut)]).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('A test file that takes too long makes room for quicker ones further away', () => {
  const { tests, secondsOf } = someTests(4, 20, 1, 7, 5);
  expect(numbers(chooseWithin(10, tests, secondsOf).chosen)).toEqual([1, 3, 5]);
  expect(numbers(chooseWithin(100, tests, secondsOf, 6).chosen)).toEqual([1, 3, 5]);
});

test('A changed test file is chosen however long it takes', () => {
  const { tests, secondsOf } = someTests(4, 60);
  const changed = tests.map((one) => ({ ...one, steps: 0 }));
  expect(numbers(chooseWithin(10, changed, secondsOf, 5).chosen)).toEqual([1, 2]);
});

test('Each batch may be twice as large as the one before, in files and in seconds', () => {
  const { tests, secondsOf } = someTests(...Array.from({ length: 20 }, () => 1));
  const sizes = (limits: { maxFiles: number; maxSeconds: number }) =>
    batchesOf(tests, secondsOf, limits).map((batch) => batch.length);
  expect(sizes({ maxFiles: 3, maxSeconds: 100 })).toEqual([3, 6, 11]);
  expect(sizes({ maxFiles: 100, maxSeconds: 2 })).toEqual([2, 4, 8, 6]);
});

test('A test file that takes more than half of a batch waits for a larger one', () => {
  const { tests, secondsOf } = someTests(15, 1, 1);
  expect(batchesOf(tests, secondsOf, { maxFiles: 9, maxSeconds: 10 }).map(numbers)).toEqual([[2, 3], [1]]);
});

test('What is left out is counted by folder, most first', () => {
  const files = ['test/calendar.test.ts', 'test/http/a.test.ts', 'test/http/metrics/b.test.ts'];
  const tests = files.map((file) => ({ file, steps: 1, sharedWords: 0 }));
  expect(countByFolder(tests)).toBe('test/http 2, test 1');
});
