import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemo } from '../setup/demo-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** The registry that packages come from; without it there is nothing to install. */
const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
const isReachable = await fetch(registry, { signal: AbortSignal.timeout(5_000) }).then(
  () => true,
  () => false,
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumb-npx-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!isReachable)(
  'npx with the packed file does what npm start does in a clone: the demo is served',
  async () => {
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    expect(file).toMatch(/^plumb-metrics-plumb-.*\.tgz$/);
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    // Filling takes half a minute, and is tested elsewhere.
    await copyDemo(join(elsewhere, 'data'));
    const environment = Object.entries(process.env).filter(([name]) => !/^(PLUMB_|VITEST|NODE_ENV|npm_)/.test(name));
    const child = spawn('npx', ['--yes', `../${file}`], {
      cwd: elsewhere,
      env: { ...Object.fromEntries(environment), PLUMB_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npx starts the command as a child of its own; both end together.
      detached: true,
    });
    const ended = once(child, 'exit');
    let warned = '';
    child.stderr.on('data', (chunk) => {
      warned += chunk;
    });
    try {
      let printed = '';
      for await (const chunk of child.stdout) {
        printed += chunk;
        if (printed.includes('Stop with Ctrl-C')) break;
      }
      // Such as of a package that needs a newer Node.js than Plumb does.
      expect(warned.split('\n').filter((line) => /^npm warn (?:EBADENGINE|deprecated)/.test(line))).toEqual([]);
      const [, url = ''] = /Plumb is running at (\S+)/.exec(printed) ?? [];
      const [, key = ''] = /Demo key +(\S+)/.exec(printed) ?? [];
      const teams = await fetch(`${url}/teams`, { headers: { Authorization: key } });
      expect([teams.status, ((await teams.json()) as unknown[]).length > 3]).toEqual([200, true]);
      for (const path of ['/docs', '/docs/guides/asking', '/sign-in']) {
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
      }
      expect(await (await fetch(`${url}/docs`)).text()).toMatch(/\/assets\/docs-[\w-]+\.js/);
    } finally {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
      await ended;
    }
  },
  180_000,
);
