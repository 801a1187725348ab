import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('The evaluator shares nothing with the engine but the declarations of the catalogue', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'));
  const imports = files.flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    return [...source.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path);
  });
  const foreign = imports.filter((path) => !/^\.\/|^\.\.\/\.\.\/src\/(?:catalogue|expression)\//.test(path));
  expect(files.length).toBeGreaterThan(10);
  expect(foreign).toEqual([]);
});
