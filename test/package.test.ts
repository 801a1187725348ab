import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the package', () => {
  let files: readonly string[];
  beforeAll(() => {
    // What `npm test` builds before anything else; a test file alone may come to a clone without it.
    if (!existsSync(`${root}dist-web/index.html`))
      execFileSync(process.execPath, ['scripts/build-web.mjs'], { cwd: root });
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    const [{ files: listed }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    files = listed.map(({ path }) => path);
  }, 120_000);

  test('holds the pages, each file also compressed, the command and the client', () => {
    expect(files).toContain('dist-web/index.html');
    expect(files).toContain('bin/plumb.cjs');
    expect(files).toEqual(expect.arrayContaining(['dist/client/plumb.js', 'dist/client/plumb.d.ts']));
    const scripts = files.filter((path) => /^dist-web\/assets\/.*\.js$/.test(path));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.some((path) => files.includes(`${path}.gz`))).toBe(true);
  });

  test('holds the guides that the reference shows, and the versions of what it needs', () => {
    expect(files).toEqual(expect.arrayContaining(['docs/asking.md', 'npm-shrinkwrap.json', 'CHANGELOG.md']));
  });

  test('holds the licence of Plumb, and those of all packages whose code is copied into it', () => {
    expect(files).toContain('LICENSE');
    const copied = {
      dist: ['@modelcontextprotocol/sdk', '@duckdb/node-api', 'echarts', 'zod', 'get-east-asian-width'],
      'dist-web': ['react', 'react-dom', 'echarts', '@tanstack/react-query', 'wouter'],
    };
    for (const [folder, names] of Object.entries(copied)) {
      expect(files).toContain(`${folder}/THIRD-PARTY-LICENSES.txt`);
      const text = readFileSync(`${root}${folder}/THIRD-PARTY-LICENSES.txt`, 'utf8');
      const titles = [...text.matchAll(/^-{80}\n(\S+) \d+\.\S+ \(.+\)$/gm)].map(([, name]) => name);
      expect(titles).toEqual(expect.arrayContaining(names));
      // A package that is only installed brings its licence along.
      expect(titles).not.toContain('fastify');
      expect(text).toContain('Permission is hereby granted, free of charge');
      expect(text).toContain('Copyright 2017-2026 The Apache Software Foundation');
      expect(text).not.toContain(root);
    }
  });

  test('has a name of its own, so that npx fetches no stranger’s', () => {
    const { name, bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { name: string; bin: object };
    expect([name, bin]).toEqual(['@plumb-metrics/plumb', { plumb: 'bin/plumb.cjs' }]);
  });

  test('holds no sources, tests or data', () => {
    expect(files.filter((path) => /^(?:src|web|test|bench|data|scripts)\//.test(path))).toEqual([]);
  });
});
