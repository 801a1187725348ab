import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pages, startPages } from '../http/pages/signed-in-pages.ts';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';

describeWithChromium('a page while data arrive', () => {
  let pages: Pages;
  let browser: Browser;
  beforeAll(async () => {
    pages = await startPages({ parts: () => ({ livePace: { lookMs: 20, commentMs: 1_000 } }) });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  /** Tabs that tests have left, by cookie: a new one is a new process. */
  const idle = new Map<string, Page>();
  const leaveTab = async (cookie: string, page: Page): Promise<void> => {
    await page.unrouteAll();
    idle.set(cookie, page);
  };
  const openTab = async (cookie: string): Promise<Page> => {
    const left = idle.get(cookie);
    idle.delete(cookie);
    if (left) return left;
    const context = await browser.newContext();
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: pages.service.url }]);
    return context.newPage();
  };
  const openOverview = async (cookie: string): Promise<Page> => {
    const page = await openTab(cookie);
    await page.goto(`${pages.service.url}/`);
    return page;
  };

  const asks = (page: Page, path: string) => page.waitForRequest((request) => request.url().endsWith(path));
  /** Until the first answer about the data is there: what is asked before that waits for it, and is not asked again. */
  const knowsStatus = (page: Page) => page.locator('.page-foot', { hasText: /Data through|No data yet/ }).waitFor();
  const hide = (isHidden: boolean) =>
    `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`;

  /** Fills itself with the versions of the data that the page is told of. */
  const versionsHeard = async (page: Page): Promise<ReadonlySet<string>> => {
    const versions = new Set<string>();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.eventSourceMessageReceived', ({ eventName, data }) => {
      if (eventName === 'data') versions.add(data);
    });
    return versions;
  };

  test('A page while data arrive says what is missing, how far a sync is, and shows new data when the reader asks for them', async () => {
    // Until its Owner has left the first steps, an empty organisation leads there.
    const left = await pages.owner.request('PUT', '/app/setup', { skipped: [], is_closed: true });
    expect(left.status).toBe(204);
    const page = await openOverview(pages.owner.cookie);
    const missing = page.locator('[data-state="unconnected"]');
    await missing.waitFor();
    expect(await missing.innerText()).toContain('Six key figures');
    expect(await missing.getByRole('link').allInnerTexts()).toEqual(['Connect GitHub', 'Import a file']);
    expect(await page.locator('.tile').count()).toBe(0);

    const body = { kind: 'toy', name: 'Code', settings: { token: 'word', base_url: pages.hostUrl } };
    const added = await pages.owner.request('POST', '/app/sources', body);
    expect(added.status, added.text).toBe(201);
    const sync = pages.syncs.sync((added.json as { id: string }).id, { signal: new AbortController().signal });
    const arriving = page.locator('[data-state="syncing"]');
    await arriving.waitFor();
    expect(await arriving.innerText()).toContain('Code');

    const now = Math.floor(Date.now() / 1_000);
    const record = {
      pr_id: 'p1',
      repository: 'acme/web',
      // Windows end with the last whole day.
      pr_created_at: new Date((now - 2 * 86_400) * 1_000).toISOString(),
      source: 'github',
      person_login: 'ada',
    };
    await pages.gated.answer({
      records: [{ table: 'pull_requests', records: [record] }],
      count: 1,
      total: 2,
      at: now,
      next: 'more',
    });
    await arriving.getByText('acme/web, pull requests: 1 of about 2 records').waitFor();
    // Numbers wait for the reader.
    const show = page.getByRole('button', { name: 'Show new data' });
    await show.waitFor();
    expect(await page.locator('.tile').count()).toBe(0);
    await show.click();
    await page.locator('.tile[data-metric="review-rate"] [data-value="0"]').waitFor();
    expect(await show.count()).toBe(0);
    expect(await arriving.innerText()).toContain('So far: 1 pull request');

    // The figures of one range stay, dimmed, until those of the next are there.
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/metrics/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Range/ }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    const old = page.locator('.tile[data-metric="review-rate"].is-old [data-value="0"]');
    await old.waitFor();
    expect(await page.locator('.tile.skeleton').count()).toBe(0);
    goOn();
    await old.waitFor({ state: 'detached' });
    await page.locator('.tile[data-metric="review-rate"] [data-value="0"]').waitFor();

    await pages.gated.answer({ records: [], count: 1, at: now });
    expect(await sync).toEqual({ outcome: 'complete' });
    await arriving.waitFor({ state: 'detached' });
    await leaveTab(pages.owner.cookie, page);
  });

  test('A page while data arrive asks nobody to show what they have just changed themselves', async () => {
    const [here, elsewhere] = [await openOverview(pages.owner.cookie), await openOverview(pages.manager.cookie)];
    const listens = elsewhere.waitForResponse((answer) => answer.url().endsWith('/app/events'));
    await elsewhere.reload();
    await listens;
    const versions = await versionsHeard(here);
    await here.goto(`${pages.service.url}/people?part=groups`);
    await expect.poll(() => versions.size).toBe(1);
    await here.getByRole('button', { name: 'Make a group' }).click();
    await here.getByLabel('Name of the new group').fill('Looms');
    await here.getByRole('button', { name: 'Make the team' }).click();
    await elsewhere.getByRole('button', { name: 'Show new data' }).waitFor();
    await here.getByText('Looms').first().waitFor();
    await expect.poll(() => versions.size).toBeGreaterThan(1);
    // Time to draw what the news would bring.
    await here.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await here.getByRole('button', { name: 'Show new data' }).count()).toBe(0);
    await here.context().close();
    await leaveTab(pages.manager.cookie, elsewhere);
  });

  test('A page while data arrive listens only while somebody looks, and again afterwards', async () => {
    const page = await openTab(pages.engineer.cookie);
    const versions = await versionsHeard(page);
    await page.goto(`${pages.service.url}/`);
    await expect.poll(() => versions.size).toBe(1);
    await knowsStatus(page);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/app/events'));
    await page.evaluate(hide(true));
    await ended;
    // What ended meanwhile was not told.
    const again = [asks(page, '/app/events'), asks(page, '/app/status')];
    await page.evaluate(hide(false));
    await Promise.all(again);
    await leaveTab(pages.engineer.cookie, page);
  });

  test('A page while data arrive asks what it missed where nobody looked at it from the beginning', async () => {
    const page = await openTab(pages.engineer.cookie);
    await page.addInitScript(hide(true));
    await page.goto(`${pages.service.url}/`);
    await knowsStatus(page);
    const again = [asks(page, '/app/events'), asks(page, '/app/status')];
    await page.evaluate(hide(false));
    await Promise.all(again);
    await page.context().close();
  });

  test('A page while data arrive tries again when it is refused', async () => {
    const page = await openOverview(pages.manager.cookie);
    await page.locator('h1').waitFor();
    let refused = 0;
    await page.route('**/app/events', (route) => {
      refused += 1;
      return refused === 1 ? route.fulfill({ status: 503, body: '{}' }) : route.continue();
    });
    await page.reload();
    await expect.poll(() => refused).toBeGreaterThan(1);
    await page.context().close();
  });
});
