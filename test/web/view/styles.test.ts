import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../web/src');

/** Styles of a page stay when the reader goes on to another one. */
test('No two files style the same: a page looks alike wherever the reader comes from', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const places = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    for (const [, selectors = ''] of text.matchAll(/([^{}]+)\{/g)) {
      // A comma within `:is(…)` parts no selectors.
      for (const selector of selectors.split(/,(?![^(]*\))/).map((one) => one.trim())) {
        if (selector.startsWith('.')) places.set(selector, (places.get(selector) ?? new Set()).add(file));
      }
    }
  }
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([, among]) => among.size > 1).map(([selector, among]) => [selector, ...among])).toEqual(
    [],
  );
});
