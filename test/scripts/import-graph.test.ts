import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type DeclaredReach, matcherOf, readImportGraph, stepsTo } from '../../scripts/import-graph.mjs';

function writeTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'plumb-graph-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

/** Steps from each file to the changed one, in a tree of two folders. */
function stepsIn(
  files: Readonly<Record<string, string>>,
  changed: readonly string[],
  declared: readonly DeclaredReach[] = [],
): Record<string, number> {
  const root = writeTree({ 'src/changed.ts': '', 'test/none.ts': '', ...files });
  return Object.fromEntries(stepsTo(changed, readImportGraph(root, ['src', 'test'], declared)));
}

test('A file is as many steps from a change as there are imports between them', () => {
  const files = {
    'src/near.ts': `import { a } from './changed.ts';\nexport { b } from './other.ts';`,
    'src/other.ts': '',
    'test/far.test.ts': `import '../src/near.ts';`,
    'test/apart.test.ts': `import '../src/other.ts';`,
  };
  expect(stepsIn(files, ['src/changed.ts'])).toEqual({ 'src/changed.ts': 0, 'src/near.ts': 1, 'test/far.test.ts': 2 });
});

test('The nearest of several changes and the shortest of several ways count', () => {
  const files = {
    'src/long.ts': `import './changed.ts';`,
    'src/longer.ts': `import './long.ts';`,
    'test/a.test.ts': `import '../src/longer.ts';\nimport '../src/long.ts';`,
  };
  expect(stepsIn(files, ['src/changed.ts'])['test/a.test.ts']).toBe(2);
  expect(stepsIn(files, ['src/changed.ts', 'src/longer.ts'])['test/a.test.ts']).toBe(1);
});

test.each([
  ['an import', `import { a } from '../src/changed.ts';`],
  ['an import without names', `import '../src/changed.ts';`],
  ['an import of a type beside a value', `import { a, type B } from '../src/changed.ts';`],
  ['an export of names', `export { a } from '../src/changed.ts';`],
  ['an export of everything', `export * from '../src/changed.ts';`],
  ['an import on demand', `const load = () => import('../src/changed.ts');`],
])('%s makes a file depend on another', (_kind, text) => {
  expect(stepsIn({ 'test/a.test.ts': text }, ['src/changed.ts'])).toHaveProperty(['test/a.test.ts'], 1);
});

test.each([
  ['an import of types', `import type { A } from '../src/changed.ts';`],
  ['an import of single types', `import { type A, type B } from '../src/changed.ts';`],
  ['an export of types', `export type { A } from '../src/changed.ts';`],
  ['a type on demand', `export type A = import('../src/changed.ts').A;`],
  ['a comment', `// import '../src/changed.ts';`],
  ['a text', `const text = "import '../src/changed.ts';";`],
])('%s makes a file depend on nothing', (_kind, text) => {
  expect(stepsIn({ 'test/a.test.ts': text }, ['src/changed.ts'])).not.toHaveProperty(['test/a.test.ts']);
});

test('Files that are not modules are reached by imports too', () => {
  const files = { 'src/page.tsx': `import './page.css';\nexport const page = <p>Text</p>;`, 'src/page.css': '' };
  expect(stepsIn(files, ['src/page.css'])).toEqual({ 'src/page.css': 0, 'src/page.tsx': 1 });
});

test('A declared way through a process is as long as it says, and leads on over imports', () => {
  const files = {
    'src/entry.ts': `import './changed.ts';`,
    'test/process.ts': '',
    'test/a.test.ts': `import './process.ts';`,
  };
  const declared = [{ from: 'test/process.ts', to: ['src/entry.ts'], steps: 3 }];
  expect(stepsIn(files, ['src/changed.ts'], declared)).toMatchObject({ 'test/process.ts': 4, 'test/a.test.ts': 5 });
});

test('A file that reads the text of another is not affected by what the other imports', () => {
  const files = { 'src/near.ts': `import './changed.ts';`, 'test/a.test.ts': '' };
  const declared = [{ from: 'test/*.test.ts', to: ['src/near.ts'], steps: 1, readsText: true }];
  expect(stepsIn(files, ['src/changed.ts'], declared)).not.toHaveProperty(['test/a.test.ts']);
  expect(stepsIn(files, ['src/near.ts'], declared)).toHaveProperty(['test/a.test.ts'], 1);
});

test('A file is known when it is a source file, when one imports it, or when it is declared', () => {
  const root = writeTree({ 'src/a.tsx': `import './a.css';` });
  const graph = readImportGraph(root, ['src'], [{ from: 'src/a.tsx', to: ['docs/**'], steps: 1 }]);
  for (const file of ['src/a.tsx', 'src/gone.ts', 'src/a.css', 'docs/deep/page.md'])
    expect(graph.isKnown(file)).toBe(true);
  for (const file of ['a.ts', 'src/b.css', 'package.json']) expect(graph.isKnown(file)).toBe(false);
});

test.each([
  ['docs/**', 'docs/a/b.md', true],
  ['docs/**', 'docs', false],
  ['*.md', 'README.md', true],
  ['*.md', 'docs/README.md', false],
  ['web/**/page.tsx', 'web/page.tsx', true],
  ['web/**/page.tsx', 'web/a/b/page.tsx', true],
  ['web/**/page.tsx', 'web/a/homepage.tsx', false],
  ['a.ts', 'abts', false],
])('The pattern %s means %s: %s', (pattern, file, isMeant) => {
  expect(matcherOf([pattern])(file)).toBe(isMeant);
});
