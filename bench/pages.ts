// `npm run bench:pages`: how long a reader waits. The first chart after `npm start` in a clone that was never built, and
// another range of time on the pages of an organisation with two million pull requests, in a real Chromium. Absolute times
// are this machine's. PLUMB_BENCH_SHARE=0.01 runs it with a hundredth of the rows, to try it out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../scripts/test-engines.mjs';
import { signInWithLink } from '../test/web/sign-in-form.ts';
import { firstChartSeconds } from './pages/first-chart.ts';
import { complete, paintedAfter } from './pages/painting.ts';
import { median } from './query/measuring.ts';
import { ms, printGoal } from './query/report.ts';
import { ofPages } from './query/sizes.ts';
import { makeOrganisations } from './query/world.ts';
import { plumb, startPlumb } from './served-process.ts';

const [maxCachedMs, maxUncachedMs, maxFirstChartSeconds] = [150, 800, 60];
const paths = ['/', '/delivery', '/cycle-time', '/reviews'];
/** The month before the last one of the history: the keys move it by a month. */
const range = '2025-05-01.2025-05-31';
const rounds = 6;

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium: set CHROMIUM, or install it.');
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
try {
  const seconds = await firstChartSeconds(browser, join(folder, 'demo'));
  printGoal(
    'first chart after npm start',
    `${seconds.toFixed(1)} s`,
    `${maxFirstChartSeconds} s`,
    seconds <= maxFirstChartSeconds,
  );
  console.error(`making ${ofPages.pullRequests.toLocaleString('en')} pull requests`);
  await measureRanges(browser, join(folder, 'data'));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureRanges(browser: Browser, data: string): Promise<void> {
  const [organisation] = await makeOrganisations(data, [ofPages]);
  if (!organisation) throw new Error('there is no organisation');
  const words = ['person', 'sign-in', '--org', organisation.id, 'owner@bench.example'];
  const { sign_in_url } = (await plumb(data, ...words)) as { sign_in_url: string };
  const server = await startPlumb(data);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    const { pathname, search } = new URL(sign_in_url);
    await signInWithLink(context, `${server.url}${pathname}${search}`, 'correct horse battery');
    for (const path of paths) {
      const page = await context.newPage();
      await page.goto(`${server.url}${path}?r=${range}`);
      await complete(page);
      const [unknown, known]: [number[], number[]] = [[], []];
      // Further back each time, which nobody has asked yet; then forth and back again, which is known.
      for (let round = 0; round < rounds; round += 1) {
        unknown.push(await paintedAfter(page, '['));
        known.push(await paintedAfter(page, ']'));
        known.push(await paintedAfter(page, '['));
      }
      printRange(path, 'not asked before', unknown, maxUncachedMs);
      printRange(path, 'known', known, maxCachedMs);
      await page.close();
    }
  } finally {
    await server.stop();
  }
}

function printRange(path: string, what: string, times: readonly number[], most: number): void {
  const [middle, worst] = [median(times), Math.max(...times)];
  const said = `median ${ms(middle)} ms, longest ${ms(worst)} ms of ${times.length}`;
  printGoal(`another range on ${path}, ${what}`, said, `${most} ms`, middle <= most);
}
