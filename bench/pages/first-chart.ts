import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { signInWithLink } from '../../test/web/sign-in-form.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Seconds from `npm start` in a clone whose packages are there and nothing else, until the first chart is drawn. */
export async function firstChartSeconds(browser: Browser, folder: string): Promise<number> {
  for (const built of ['dist', 'dist-web']) rmSync(join(root, built), { recursive: true, force: true });
  const began = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs', '--json'], {
    cwd: root,
    env: { ...process.env, PLUMB_BENCH_SHARE: undefined, PLUMB_DATA: folder, PLUMB_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    const { sign_in_url } = JSON.parse(await firstLine(child)) as { sign_in_url: string };
    const context = await browser.newContext();
    await signInWithLink(context, sign_in_url, 'correct horse battery staple');
    const page = await context.newPage();
    await page.goto(new URL('/delivery', sign_in_url).href);
    await page.locator('.chart-canvas canvas').first().waitFor({ timeout: 300_000 });
    const seconds = (performance.now() - began) / 1_000;
    await context.close();
    return seconds;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const end = printed.indexOf('\n');
      if (end >= 0) resolve(printed.slice(0, end));
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)));
  });
}
