import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyAcme } from '../cli/acme-folder.ts';
import { runPlumb } from '../setup/plumb-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'plumb-packed-'));
/** Where npm would put the package. */
const version = join(folder, 'node_modules/@plumb-metrics/plumb');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packages that npm would install beside it: none that only tests and builds need. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(version, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: Record<string, { readonly dev?: boolean }>;
  };
  const named = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true);
  // Those of another system are not there, and nested ones come with the package that they are in.
  return named.filter((path) => path.lastIndexOf('node_modules/') === 0 && existsSync(join(root, path)));
}

/** The names that a built file imports, by any of the three ways. Types in comments are no imports. */
const importedName = /(?:^import (?:[^"';]* from )?|(?<![{<])\bimport\(|__require\()"([^"]+)"/gm;

/** The package, started as npx starts it where data are: what it prints, and its end. */
async function started(data: string): Promise<{ printed: string; stop(): Promise<number | null> }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(PLUMB_|VITEST|NODE_ENV)/.test(name));
  const environment = { ...Object.fromEntries(own), PLUMB_DATA: data, PLUMB_PORT: '0' };
  const child = spawn(process.execPath, ['bin/plumb.cjs', 'serve', '--demo'], { cwd: version, env: environment });
  const ended = once(child, 'exit');
  let [printed, complaints] = ['', ''];
  // It is read to its end: a server whose output is closed may have one more line to log, and ends with an error.
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Stop with Ctrl-C')) resolve();
    });
    child.stdout.on('end', () => reject(new Error(`It ended: ${printed}${complaints}`)));
  });
  return {
    printed,
    async stop() {
      // As Ctrl-C does.
      child.kill('SIGINT');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

describe('the package', () => {
  let files: readonly string[];
  beforeAll(() => {
    // What `npm test` builds before anything else; a test file alone may come to a clone without it.
    if (!existsSync(`${root}dist-web/index.html`))
      execFileSync(process.execPath, ['scripts/build-web.mjs'], { cwd: root });
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    const [{ filename, files: listed }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
    files = listed.map(({ path }) => path);
    mkdirSync(version, { recursive: true });
    // npm packs everything below a folder of its own.
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', version, '--strip-components=1']);
  });

  test('The package holds the pages, each file also compressed, the command and the client', () => {
    expect(files).toContain('dist-web/index.html');
    expect(files).toContain('bin/plumb.cjs');
    expect(files).toEqual(expect.arrayContaining(['dist/client/plumb.js', 'dist/client/plumb.d.ts']));
    const scripts = files.filter((path) => /^dist-web\/assets\/.*\.js$/.test(path));
    expect(scripts.length).toBeGreaterThan(0);
    for (const copy of ['br', 'gz']) expect(scripts.some((path) => files.includes(`${path}.${copy}`))).toBe(true);
  });

  test('The package holds the guides that the reference shows, and the versions of what it needs', () => {
    expect(files).toEqual(expect.arrayContaining(['docs/asking.md', 'npm-shrinkwrap.json', 'CHANGELOG.md']));
  });

  test('The package holds the licence of Plumb, and those of all packages whose code is copied into it', () => {
    expect(files).toContain('LICENSE');
    const copied = {
      dist: ['@modelcontextprotocol/sdk', '@duckdb/node-api', 'echarts', 'fastify', 'pg', '@clickhouse/client'],
      'dist-web': ['react', 'react-dom', 'echarts', '@tanstack/react-query', 'wouter'],
    };
    for (const [folder, names] of Object.entries(copied)) {
      expect(files).toContain(`${folder}/THIRD-PARTY-LICENSES.txt`);
      const text = readFileSync(`${root}${folder}/THIRD-PARTY-LICENSES.txt`, 'utf8');
      const titles = [...text.matchAll(/^-{80}\n(\S+) \d+\.\S+ \(.+\)$/gm)].map(([, name]) => name);
      expect(titles).toEqual(expect.arrayContaining(names));
      // A package that is only installed brings its licence along.
      expect(titles).not.toContain('@node-rs/argon2');
      expect(text).toContain('Permission is hereby granted, free of charge');
      expect(text).toContain('Copyright 2017-2026 The Apache Software Foundation');
      expect(text).not.toContain(root);
    }
  });

  test('The package needs nothing of npm but packages with native code, so that their versions are all that npm chooses', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(['@duckdb/node-bindings', '@node-rs/argon2']);
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    const imported = files
      .filter((path) => /^dist\/[^/]+\.js$/.test(path))
      .flatMap((path) => [...readFileSync(join(version, path), 'utf8').matchAll(importedName)])
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name));
    // `pg` looks for pg-native where somebody asks for it, which Plumb never does.
    expect([...new Set(imported)].toSorted()).toEqual(['@duckdb/node-bindings', '@node-rs/argon2', 'pg-native']);
  });

  test('The package has a name of its own, so that npx fetches no stranger’s', () => {
    const { name, bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { name: string; bin: object };
    expect([name, bin]).toEqual(['@plumb-metrics/plumb', { plumb: 'bin/plumb.cjs' }]);
  });

  test('The package holds no sources, tests or data', () => {
    expect(files.filter((path) => /^(?:src|web|test|bench|data|scripts)\//.test(path))).toEqual([]);
  });

  test('Unpacked, with what npm installs beside it, serves and answers a question', async () => {
    for (const path of installedPackages()) {
      mkdirSync(dirname(join(version, path)), { recursive: true });
      symlinkSync(join(root, path), join(version, path));
    }
    const data = join(folder, 'data');
    const owner = 'ada@acme.example';
    await copyAcme(data);
    const server = await started(data);
    const [, url = ''] = /Plumb is running at (\S+)/.exec(server.printed) ?? [];
    try {
      expect(server.printed).toMatch(/^ {2}A link +plumb person sign-in /m);
      for (const path of ['/readyz', '/docs', '/docs/guides/asking', '/sign-in', '/openapi.json']) {
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
      }
      const made = ['key', 'create', '--org', 'Acme', '--as', owner, '--name', 'packed', '--json'];
      const { key } = (await runPlumb(data, made, { version })).json<{ key: string }>();
      const asked = await fetch(`${url}/metrics/users-count`, { headers: { Authorization: key } });
      expect(await asked.json()).toEqual([{ date_level_not_set: true, number_of_users: 1 }]);
      const drawn = await fetch(`${url}/metrics/pull-requests-count/chart.svg?start_date=2024-01-01`, {
        headers: { Authorization: key },
      });
      expect(drawn.headers.get('content-type')).toContain('image/svg+xml');
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});
