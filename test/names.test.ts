import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs|cjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.split(sep).join('/')}`);

/** Names that compare two values, or that pick the most frequent one: they are no limits. */
const comparisons = new Set([
  'atLeast',
  'atMost',
  'isAtMost',
  'firstAtLeast',
  'lastAtMost',
  'mostFrequent',
  'mostOf',
  'mostUsed',
  'WhatChangedMost',
]);
const limitNamedLast = /\b(?:\w*[a-z](?:Most|Least|Usual)(?:[A-Z]\w*)?|(?:most|least|usual)[A-Z]\w*)\b/g;

test('a limit is named max, min or default, and that word comes first', () => {
  const found = ['src', 'web/src', 'test', 'bench', 'scripts']
    .flatMap(filesIn)
    .filter((file) => file !== 'test/names.test.ts')
    .flatMap((file) =>
      [...new Set(readFileSync(join(root, file), 'utf8').match(limitNamedLast))]
        .filter((name) => !comparisons.has(name))
        .map((name) => `${file}: ${name}`),
    );
  expect(found).toEqual([]);
});
