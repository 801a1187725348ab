import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
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
  // Fields of Cursor's answers.
  'mostUsedModel',
  'tabMostUsedExtension',
]);
const limitNamedLast = /\b(?:\w*[a-z](?:Most|Least|Usual)(?:[A-Z]\w*)?|(?:most|least|usual)[A-Z]\w*)\b/g;

test('A limit is named max, min or default, and that word comes first', () => {
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

/** Folders whose files are searched for together with their folder: parts of a page, commands, the client. */
const searchedByFolder = /^(?:web\/src\/pages|src\/cli\/commands|src\/client)\//;

/** Files that have one name on purpose, since they are the same part of different things. */
const sameParts: readonly RegExp[] = [
  // A port and each engine behind it.
  /^src\/(?:store|warehouse)\/(?:(?:duckdb|clickhouse|postgres|sql)\/)?[\w-]+\.ts$/,
  // Where an engine is chosen.
  /^src\/[\w/]+\/open\.ts$/,
  // Each kind of source.
  /^src\/sources\/[\w-]+\/(?:convert|settings|streams)\.ts$/,
  // The columns of a table and its metrics.
  /^src\/catalogue\/(?:metrics|tables)\/[\w-]+\.ts$/,
  // Where a program begins.
  /^(?:web\/)?src\/main\.tsx?$/,
];

test('The name of a file means one thing', () => {
  const byName = new Map<string, string[]>();
  for (const file of [...filesIn('src'), ...filesIn('web/src')].filter((file) => !searchedByFolder.test(file))) {
    const name = basename(file).replace(/\.tsx?$/, '');
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  const areSameParts = (files: readonly string[]) => sameParts.some((form) => files.every((file) => form.test(file)));
  expect([...byName.values()].filter((files) => files.length > 1 && !areSameParts(files))).toEqual([]);
});

/** Folders of tests that belong to no single module, each with what they hold; those within them are their own affair. */
const ofNoModule: Readonly<Record<string, string>> = {
  attack: 'hostile requests to a whole server',
  'cli/mistakes': 'typical mistakes, on the command line and over HTTP',
  conformance: 'what two engines behind one port must do alike',
  documentation: 'pages, and the commands on them',
  engines: 'the packages of PostgreSQL and ClickHouse',
  faults: 'mistakes made on purpose, which a test must notice',
  golden: 'the SQL of each metric',
  http: 'operations, a folder each',
  packaging: 'what is published and deployed',
  'query/definitions': 'every metric by its definition',
  'query/properties': 'what holds for random questions',
  reference: 'a second, plain evaluator of questions',
  replicas: 'several servers at once',
  soak: 'servers under load for an hour',
  'safety/crash': 'a whole service that is killed',
  scripts: 'scripts/',
  setup: 'what tests run on',
  'sources/contract': 'what every source promises',
  'sources/github/replay': 'a GitHub that answers from recorded data',
  'sources/skeleton': 'the source that others are copied from',
  'sources/together': 'organisations that several sources feed at once',
  'warehouse/memory': 'a warehouse in memory to compare with',
  web: 'web/src/',
  words: 'texts that people read',
};

test('The tree of tests is the tree of src, but for what belongs to no single module', () => {
  const folders = new Set(filesIn('test').map((file) => dirname(file).slice('test/'.length)));
  const own = [...folders].filter((folder) => folder !== '' && !existsSync(join(root, 'src', folder)));
  const isListed = (folder: string) =>
    Object.keys(ofNoModule).some((listed) => folder === listed || folder.startsWith(`${listed}/`));
  expect(own.filter((folder) => !isListed(folder))).toEqual([]);
  expect(Object.keys(ofNoModule).filter((listed) => !existsSync(join(root, 'test', listed)))).toEqual([]);
});

test('The title of a test is a whole sentence', () => {
  const title = /^\s*(?:test\b.*?\((['`])((?:\\.|(?!\1).)*)\1,|\]\)\((['`])((?:\\.|(?!\3).)*)\3, async)/gm;
  // Commands, parameters and tools have the names that people type.
  const typed = /^(?:plumb|npx|gh|https)\b|^[\w./-]*[_=./]\w/;
  const found = filesIn('test').flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(title)]
      .map(([, , first, , second]) => first ?? second ?? '')
      .filter((words) => /^[a-z]/.test(words) && !typed.test(words))
      .map((words) => `${file}: ${words}`),
  );
  expect(found).toEqual([]);
});

/** A word without the ending of its number or tense: `records` and `recorded` are `record`. */
const stemOf = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/e$/, '');

/**
 * Names that have nothing but a root in common: the contract of a source and what the pages know of connections, and the
 * pages of a listing and a page that people see.
 */
const ofOneRoot: ReadonlySet<string> = new Set(['source, sources', 'paging, page']);

test('No two names of files, on the server or on the pages, differ by number, tense or order alone', () => {
  // The files of a kind of source, and the declarations of tables, are searched by their folder.
  const searchedApart = /^src\/(?:sources\/[\w-]+|catalogue\/(?:metrics|tables))\//;
  const byStems = new Map<string, Set<string>>();
  for (const file of ['src', 'web/src'].flatMap(filesIn)) {
    if (searchedByFolder.test(file) || searchedApart.test(file)) continue;
    const name = basename(file).replace(/\.tsx?$/, '');
    const stems = name.split('-').map(stemOf).toSorted().join(' ');
    byStems.set(stems, (byStems.get(stems) ?? new Set()).add(name));
  }
  const found = [...byStems.values()].filter((names) => names.size > 1).map((names) => [...names].join(', '));
  expect(found.filter((names) => !ofOneRoot.has(names))).toEqual([]);
  // A name that is gone needs no place in the list.
  expect(found).toEqual(expect.arrayContaining([...ofOneRoot]));
});
