import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// npm skips an optional package that the registry lacks without a word, and native code comes in optional packages.

interface LockedPackage {
  readonly dev?: boolean;
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockfileOf = (folder: string): string => (folder === '../../' ? 'npm-shrinkwrap.json' : 'package-lock.json');

function lockedPackages(folder: string): [path: string, LockedPackage][] {
  const lockfile = readFileSync(new URL(`${folder}${lockfileOf(folder)}`, import.meta.url), 'utf8');
  return Object.entries(JSON.parse(lockfile).packages);
}

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

describe.each([
  ['the project', '../../', []],
  // Not to be had: on arm64 tests run the engine for x64 under emulation (scripts/emulated-clickhouse.sh).
  ['the test engines', '../engines/', ['@chdb/lib-linux-arm64-gnu']],
])('the lockfile of %s', (_name, folder, absent) => {
  test('A lockfile has the native packages of Linux for x64 and for arm64', () => {
    const packages = lockedPackages(folder);
    const locked = new Set(packages.map(([path]) => nameAt(path)));
    const wanted = packages
      .flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
      .filter((name) => /linux-(x64|arm64)(-gnu)?$/.test(name));
    expect(wanted).not.toEqual([]);
    expect(wanted.filter((name) => !locked.has(name))).toEqual(absent);
  });

  test('A lockfile names no registry: each machine has its own', () => {
    expect(readFileSync(new URL(`${folder}${lockfileOf(folder)}`, import.meta.url), 'utf8')).not.toContain(
      '"resolved"',
    );
  });
});

describe('native modules', () => {
  const packages = lockedPackages('../../');
  const binaries = new Set(packages.filter(([, { cpu }]) => cpu !== undefined).map(([path]) => nameAt(path)));
  // Those of the development tools are proven by this very run.
  const nativeModules = packages
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies).some((name) => binaries.has(name)))
    .map(([path]) => nameAt(path));

  test.each(nativeModules)('%s loads', async (name) => {
    await expect(import(name)).resolves.toBeDefined();
  });

  test('DuckDB answers', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const answer = await connection.runAndReadAll('select 42 as answer');
    expect(answer.getRowObjects()).toEqual([{ answer: 42 }]);
    connection.closeSync();
    instance.closeSync();
  });
});
