import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Puts records in and signs readers in; it decides nothing. */
const fillsTheService = 'made-service.ts';
const allowed = /^(?:node:|\.\/|\.\.\/page-|\.\.\/\.\.\/reference\/|\.\.\/\.\.\/\.\.\/web\/src\/ask\/catalogue\.ts$)/;

test('What works conclusions out again shares nothing with pages and server but the declarations of the catalogue', () => {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => !file.endsWith('.test.ts') && file !== fillsTheService,
  );
  const imports = files.flatMap((file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    return [...source.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path);
  });
  expect(files.length).toBeGreaterThan(10);
  expect(imports.filter((path) => !allowed.test(path))).toEqual([]);
});
