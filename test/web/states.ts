import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { isLong } from '../setup/how-long.ts';
import { awaitUntil } from './await-until.ts';
import { forgetfulLinks, view } from './kept-view.ts';
import { leave, type OpenedPage, openPage } from './opened-page.ts';
import { faultsOf } from './page-checks.ts';
import type { ServedPages } from './served-pages.ts';
import { startSilentProvider } from './silent-provider.ts';

/** Pages that live of records: without any they say what they will show. */
const ofRecords = ['/', '/delivery', '/cycle-time', '/reviews', '/ai', '/ci', '/issues', '/surveys', '/benchmarks'];
/** Pages with figures over a window of time; in the gate, one for each main table. */
const ofWindows = isLong
  ? ['/', '/delivery', '/cycle-time', '/reviews', '/ai', '/ci', '/issues']
  : ['/', '/ai', '/ci', '/issues'];

/** Never a bare zero, never a blank page: every state says what is so, why, and what to do. */
export function states(pages: () => ServedPages): void {
  /** Of an Owner whose answers can be held, refused and lost. One that a test has failed in is not used again. */
  let free: BrowserContext | undefined;
  const takeContext = async (): Promise<BrowserContext> => {
    const { browser, readers } = pages();
    const context = free ?? (await browser.newContext({ storageState: await readers.Owner.context.storageState() }));
    free = undefined;
    return context;
  };

  test('Nothing connected: each page says what it will show, leads to connecting, and keeps the range and the comparison', async () => {
    const { url, found } = pages();
    const { context } = await found('Blank');
    const { command } = (await (await context.request.get(`${url}/app/session`)).json()) as { command: string };
    await onPages(context, url, ['/'], view, async ({ page }) => {
      // The overview leads an Owner to the first steps, with the range and the comparison.
      await page.waitForURL(`${url}/welcome${view}`);
    });
    const others = ofRecords.filter((path) => path !== '/');
    await onPages(context, url, others, view, async ({ page, show }, path) => {
      const state = page.locator('[data-state="unconnected"]').first();
      expect(await state.count(), path).toBe(1);
      expect(await state.locator(`a[href="/settings/connections${view}"]`).count(), path).toBe(1);
      expect(await page.locator('main [data-value="0"]').count(), path).toBe(0);
      // The demo is offered by a command that works as it stands here.
      expect(await state.innerText(), path).toContain(`${command} demo`);
      expect(await forgetfulLinks(page), path).toEqual([]);
      if (path !== others.at(-1)) return;
      for (const step of ['account', 'data', 'chart', 'people', 'invite']) {
        await show(`${url}/welcome${view}&step=${step}`, { width: 1280, theme: 'light' }, 'walked');
        expect(await forgetfulLinks(page), step).toEqual([]);
      }
    });
  });

  test('Syncing: the page says what arrives, and works meanwhile', async () => {
    const { url, found, plumb } = pages();
    const { context, organisationId } = await found('Arriving');
    const provider = await startSilentProvider();
    try {
      const settings = { organization: 'acme', token: 'secret', base_url: provider.url };
      const words = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
      await plumb('source', 'add', 'github', '--org', organisationId, '--name', 'Code', ...words, '--no-check');
      const sources = await context.request.get(`${url}/app/sources`);
      const [source] = ((await sources.json()) as { sources: { id: string }[] }).sources;
      const begun = await context.request.post(`${url}/app/sources/${source?.id}/sync`, { headers: { origin: url } });
      expect(begun.ok(), await begun.text()).toBe(true);
      await provider.asked;
      const expectSyncing = async ({ page }: OpenedPage, path: string) => {
        const words = await page.locator('main').innerText();
        expect(words, path).toContain('Code');
        expect(words, path).toMatch(/arriving|being read|syncing|under way/i);
      };
      await onPages(context, url, ['/', '/cycle-time', '/ai'], '', expectSyncing);
      await onPages(context, url, ['/settings/connections'], '', expectSyncing);
    } finally {
      await provider.close();
    }
  });

  test('Nothing in this window: each page names the date it looked at, and the nearest window', async () => {
    const { url, readers } = pages();
    const longAgo = '?r=2001-01-01.2001-01-31&c=none';
    await onPages(readers.Owner.context, url, ofWindows, longAgo, async ({ page, settled }, path) => {
      const nearest = page.locator('[data-state="empty"]').getByRole('button', { name: /^Show / });
      expect(await nearest.count(), path).toBeGreaterThan(0);
      // All rows are later: the window begins with the nearest day, which the words name.
      const words = await page.locator('[data-state="empty"]').filter({ hasText: 'Show ' }).first().innerText();
      const [, day, year, lastYear] = /Show (\d+ \w+)(?: (\d{4}))? – \d+ \w+ (\d{4})/.exec(words) ?? [];
      expect(words, path).toContain(`The nearest are from ${day} ${year ?? lastYear}.`);
      if (!isLong && path !== ofWindows.at(-1)) return;
      await nearest.first().click();
      await page.waitForURL((address) => !(address.searchParams.get('r') ?? '').startsWith('2001-01'));
      await settled();
      expect(await page.locator('.tile [data-value]:not([data-value=""])').count(), path).toBeGreaterThan(0);
    });
  });

  test('Another range on its way: what was there stays, and is called empty by nobody', async () => {
    const { url } = pages();
    const context = await takeContext();
    const { page, asked, settled } = await openPage(context, `${url}/reviews`);
    const charts = await page.locator('.chart-canvas').count();
    const shownValues = () =>
      page.locator('[data-values], [data-value]').evaluateAll((all) => all.map((one) => JSON.stringify(one.dataset)));
    const before = await shownValues();
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/metrics/**', async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await page.keyboard.press('[');
    await page.waitForURL(/[?&]r=/);
    await awaitUntil(async () => expect(await page.locator('.is-old').count()).toBeGreaterThan(0));
    expect(await shownValues()).toEqual(before);
    expect(await page.locator('.chart-canvas').count()).toBe(charts);
    expect(await page.locator('[data-state="empty"]').count()).toBe(0);
    answer();
    await settled();
    expect(await shownValues()).not.toEqual(before);
    expect(asked.filter((address) => address.includes('/explain'))).toEqual([]);
    await leave(page);
    free = context;
  });

  test('Hidden for privacy: the page says why, and from how many answers on it shows', async () => {
    const { url, stranger, plumb } = pages();
    await plumb('org', 'set', '--org', stranger.organisationId, 'survey_minimum_group=900');
    const opened = await openPage(stranger.context, `${url}/surveys?r=year`);
    const words = await opened.page.locator('[data-state="hidden"]').first().innerText();
    expect(words).toContain('anonymity');
    expect(words).toContain('900');
    // What is hidden has no request either, which would tell it.
    expect(await opened.page.locator('pre[data-request]').count()).toBe(0);
    expect(await opened.page.locator('main [data-value]').count()).toBe(0);
    await leave(opened.page);
  });

  test('Tables that cannot be read: the page says so in its place, with the id of the request', async () => {
    const { url, damaged } = pages();
    const { context } = await damaged();
    const ids: string[] = [];
    context.on('response', (response) => {
      if (response.status() === 503) ids.push(response.headers()['x-request-id'] ?? '');
    });
    const { page } = await openPage(context, `${url}/cycle-time`);
    expect(await page.locator('h1').innerText()).toBe('Cycle time');
    const words = await page.locator('main').innerText();
    expect(words).toContain('cannot be read at the moment');
    expect(ids.filter((id) => id !== '' && words.includes(id.slice(0, 8)))).not.toEqual([]);
    // Where everything failed, one button tries all of it again.
    expect(await page.locator('main').getByRole('button', { name: 'Try again' }).count()).toBe(1);
    expect(await page.locator('.filter-bar').isVisible()).toBe(true);
    expect(await page.locator('main [data-value]:not([data-value=""])').count()).toBe(0);
    await leave(page);
  });

  test('An error keeps to its place, has a request id, and goes away by trying again', async () => {
    const { url } = pages();
    const context = await takeContext();
    const broken = /\/metrics\/(pull-requests-count|cycle-time)\?/;
    const body = JSON.stringify({ detail: 'The disk is full. Ask the operator of this service.' });
    const headers = { 'x-request-id': '4b812f79-17', 'content-type': 'application/json' };
    await context.route(broken, (route) => route.fulfill({ status: 500, headers, body }));
    const { page, settled } = await openPage(context, `${url}/cycle-time`);
    const main = page.locator('main');
    expect(await main.innerText()).toContain('The disk is full.');
    expect(await main.innerText()).toContain('4b812f79');
    expect(await page.locator('h1').innerText()).toBe('Cycle time');
    expect(await page.locator('.sentence').innerText()).toBe('Some figures could not be loaded.');
    expect(await page.locator('.chart-canvas').count()).toBeGreaterThan(0);
    await context.unroute(broken);
    while ((await main.getByRole('button', { name: 'Try again' }).count()) > 0) {
      await main.getByRole('button', { name: 'Try again' }).first().click();
      await settled();
    }
    expect(await main.innerText()).not.toContain('4b812f79');
    expect(await page.locator('.tile [data-value]:not([data-value=""])').count()).toBeGreaterThan(2);
    await leave(page);
    free = context;
  });

  test('A server that cannot be reached is said above a page that stays, and what failed is asked again by itself', async () => {
    const { url } = pages();
    const context = await takeContext();
    const { page, settled } = await openPage(context, `${url}/`);
    const numbers = page.locator('.tile [data-value]:not([data-value=""])');
    const known = await numbers.count();
    await context.setOffline(true);
    const notice = page.locator('.offline-note .notice');
    await notice.waitFor();
    expect(await numbers.count()).toBe(known);
    await page.keyboard.press('[');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await page.getByText('can’t be reached').filter({ visible: true }).count()).toBe(1);
    expect(await page.locator('h1').innerText()).toBe('Overview');
    await context.setOffline(false);
    await notice.waitFor({ state: 'detached' });
    await again.waitFor({ state: 'detached' });
    await settled();
    expect(await numbers.count()).toBeGreaterThan(0);

    // A page whose files were not loaded before.
    await context.setOffline(true);
    await page.locator('.navigation a', { hasText: 'Benchmarks' }).click();
    await page.getByText('Its files couldn’t be loaded').waitFor();
    await again.click();
    await page.getByText('Its files couldn’t be loaded').waitFor();
    await context.setOffline(false);
    await again.click();
    await page.locator('h1', { hasText: 'Benchmarks' }).waitFor();
    await leave(page);
    free = context;
  });
}

/**
 * Looks at pages that are in one state. In the gate a reader walks from the first to the others, and only the first is
 * loaded and examined; in the long run each is.
 */
async function onPages(
  context: BrowserContext,
  url: string,
  paths: readonly string[],
  search: string,
  expectState: (opened: OpenedPage, path: string) => Promise<void>,
): Promise<void> {
  const [first = '/', ...others] = paths;
  const opened = await openPage(context, `${url}${first}${search}`);
  expect(await faultsOf(opened), first).toEqual([]);
  await expectState(opened, first);
  for (const path of others) {
    if (isLong) {
      const own = await openPage(context, `${url}${path}${search}`);
      expect(await faultsOf(own), path).toEqual([]);
      await expectState(own, path);
      await leave(own.page);
    } else {
      await opened.walkTo(path);
      await expectState(opened, path);
    }
  }
  expect(opened.complaints).toEqual([]);
  await leave(opened.page);
}
