import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The client as another project has it: by the name of the package, built. What its page prints is tried with the page. */
describe('the client in another project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-client-'));
  const inProject = (name: string) => join(folder, name);
  const example = /```ts\n([\s\S]*?)```/.exec(read('docs/client.md'))?.[1] ?? '';
  beforeAll(() => {
    mkdirSync(inProject('node_modules/@plumb-metrics'), { recursive: true });
    symlinkSync(root, inProject('node_modules/@plumb-metrics/plumb'));
    symlinkSync(join(root, 'node_modules/@types'), inProject('node_modules/@types'));
    writeFileSync(inProject('package.json'), '{"type": "module"}');
    writeFileSync(inProject('example.ts'), example);
    const uses = read('test/client/wrong-uses.ts').replace('../../src/client/plumb.ts', '@plumb-metrics/plumb/client');
    writeFileSync(inProject('wrong-uses.ts'), uses);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['Node.js', { module: 'NodeNext', lib: ['ES2023'], types: ['node'] }, ['example.ts', 'wrong-uses.ts']],
    [
      'a browser',
      { module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2023', 'DOM'], types: [] },
      ['wrong-uses.ts'],
    ],
  ])(
    'The client in another project compiles under strict for %s, and its wrong uses do not',
    (_where, options, files) => {
      // The declarations of the client are checked, and those that TypeScript itself brings are not.
      const checked = { skipLibCheck: false, skipDefaultLibCheck: true };
      const compilerOptions = { strict: true, noEmit: true, target: 'ES2023', ...checked, ...options };
      writeFileSync(inProject('tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const { stdout, status } = spawnSync(
        process.execPath,
        [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
        {
          encoding: 'utf8',
        },
      );
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );
});
