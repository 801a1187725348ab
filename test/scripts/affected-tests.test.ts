import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AffectedTest, nearestFirst, readTestReach } from '../../scripts/affected-tests.mjs';
import { declaredReach } from '../../scripts/declared-reach.mjs';
import type { DeclaredReach } from '../../scripts/import-graph.mjs';

const project = join(import.meta.dirname, '..', '..');

/** A tree in which every test runs under one file, as the real ones do. */
function readTree(files: Readonly<Record<string, string>>, declared: readonly DeclaredReach[] = []) {
  const root = mkdtempSync(join(tmpdir(), 'plumb-reach-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const underEverything = { from: 'test/**/*.test.ts', to: ['vitest.config.ts'], steps: 9 };
  return readTestReach(root, ['src', 'test'], [underEverything, ...declared]);
}

const reach = () =>
  readTree({
    'src/http/teams.ts': '',
    'src/http/server.ts': `import './teams.ts';`,
    'test/http/teams.test.ts': `import '../../src/http/server.ts';`,
    'test/http/people.test.ts': `import '../../src/http/server.ts';`,
    'test/team-names.test.ts': `import '../src/http/teams.ts';`,
    'test/http/load.long.test.ts': `import '../../src/http/server.ts';`,
    'test/calendar.test.ts': '',
  });

test('Only test files that reach a change are affected, and none of the long ones', () => {
  const files = reach()
    .affectedBy(['src/http/teams.ts'])
    .map(({ file, steps }) => [file, steps]);
  expect(Object.fromEntries(files)).toEqual({
    'test/team-names.test.ts': 1,
    'test/http/teams.test.ts': 2,
    'test/http/people.test.ts': 2,
  });
});

test('A changed test file affects itself', () => {
  expect(reach().affectedBy(['test/calendar.test.ts'])).toMatchObject([{ file: 'test/calendar.test.ts', steps: 0 }]);
});

test('A file that nothing is known of affects every test file, from far away', () => {
  const affected = reach().affectedBy(['deploy/unheard-of.yaml']);
  expect(affected.map(({ steps }) => steps)).toEqual([9, 9, 9, 9]);
});

test('A test file that only reads the text of a change does not run it', () => {
  const files = { 'src/page.ts': '', 'test/page.test.ts': `import '../src/page.ts';`, 'test/style.test.ts': '' };
  const { affectedBy, runBy } = readTree(files, [
    { from: 'test/style.test.ts', to: ['src/**'], steps: 1, readsText: true },
  ]);
  const names = (tests: readonly AffectedTest[]) => tests.map(({ file }) => file).toSorted();
  expect(names(affectedBy(['src/page.ts']))).toEqual(['test/page.test.ts', 'test/style.test.ts']);
  expect(names(runBy(['src/page.ts']))).toEqual(['test/page.test.ts']);
});

test('Changed test files come first, then the nearest, then the quickest', () => {
  const inOrder = (...tests: readonly (readonly [file: string, steps: number, sharedWords: number])[]) => {
    const affected = tests.map(([file, steps, sharedWords]) => ({ file, steps, sharedWords }));
    return nearestFirst(affected, (file) => (file === 'quick' ? 1 : 9)).map(({ file }) => file);
  };
  expect(inOrder(['far', 3, 0], ['slow', 2, 0], ['quick', 2, 0], ['changed', 0, 0])).toEqual([
    'changed',
    'quick',
    'slow',
    'far',
  ]);
  // Each word in common is worth two steps.
  expect(inOrder(['near', 2, 0], ['named', 3, 1])).toEqual(['named', 'near']);
  expect(inOrder(['near', 2, 0], ['named', 5, 1])).toEqual(['near', 'named']);
});

test('Words in common are those of the whole path, and the most with any changed file', () => {
  const words = (changed: string[]) =>
    reach()
      .affectedBy(changed)
      .find(({ file }) => file === 'test/http/teams.test.ts');
  expect(words(['src/http/teams.ts'])?.sharedWords).toBe(2);
  expect(words(['src/http/server.ts'])?.sharedWords).toBe(1);
  expect(words(['src/http/server.ts', 'src/http/teams.ts'])?.sharedWords).toBe(2);
});

test('Every file and folder that is declared to run or read others, or to be run or read, exists', () => {
  const place = (pattern: string) => (pattern.includes('*') ? dirname(pattern.replace(/\*.*/, 'any')) : pattern);
  const named = declaredReach.flatMap(({ from, to }) => [from, ...to]);
  expect(named.filter((pattern) => !existsSync(join(project, place(pattern))))).toEqual([]);
});
